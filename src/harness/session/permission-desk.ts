import { makeBoundedList } from "../../domain/bounded-list.ts"
import { PermissionScriptError } from "../../domain/harness-scope-errors.ts"
import { recordedBytes } from "../../domain/held-bytes.ts"
import { recordBytesMax, recordsMax } from "../../domain/session-limits.ts"
import type { HandlerAnswer, OpenRequest, RequestAnswer } from "./agent-request.ts"
import type { HeldPermission, PermissionRecord } from "./held-permission.ts"
import {
  makeDecider,
  type PermissionAnswer,
  type PermissionDecision,
  type PermissionPolicy,
  permissionRequest,
  permissionResult
} from "./permission-policy.ts"

/**
 * Where requests for permission are answered and recorded.
 *
 * **Source** agent-harness.md, section 2.5
 */
export interface PermissionDesk {
  handle(open: OpenRequest): HandlerAnswer
  setPolicy(policy: PermissionPolicy): void
  /** The newest 10,000 and 8 MiB, oldest first. */
  records(): ReadonlyArray<PermissionRecord>
  /** Those that wait, oldest first. */
  held(): ReadonlyArray<HeldPermission>
  /** Answers what a session waits for with `cancelled`, as the protocol wants it when a turn is cancelled. */
  cancelHeld(sessionId: string): void
}

interface Record extends PermissionRecord {
  answer: PermissionAnswer | null
}

/** `told` hears of a mistake in the script, `heldOne` of each that waits. @since 0.1.0 @category constructors */
export const makePermissionDesk = (
  first: PermissionPolicy,
  news: { readonly mistaken: (error: PermissionScriptError) => void; readonly heldOne: (held: HeldPermission) => void }
): PermissionDesk => {
  const records = makeBoundedList<Record>({ entriesMax: recordsMax, bytesMax: recordBytesMax })
  const held = new Set<HeldPermission>()
  let decider = makeDecider(first)

  const answered = (record: Record, { answer, mistake }: PermissionDecision): RequestAnswer => {
    record.answer = answer
    if (mistake !== null) news.mistaken(new PermissionScriptError(mistake))
    return { kind: "result", result: permissionResult(answer) }
  }

  const hold = (record: Record, open: OpenRequest): void => {
    const one: HeldPermission = {
      request: record.request,
      answer(answer) {
        held.delete(one)
        if (!open.answer({ kind: "result", result: permissionResult(answer) })) return false
        record.answer = answer
        return true
      }
    }
    held.add(one)
    open.request.signal.addEventListener("abort", () => held.delete(one))
    news.heldOne(one)
  }

  return {
    handle(open) {
      const record: Record = { request: permissionRequest(open.request.params), answer: null }
      records.push(record, recordedBytes(record))
      const decision = decider.decide(record.request)
      if (decision instanceof Promise) return decision.then((made) => answered(record, made))
      if (decision !== "held") return answered(record, decision)
      hold(record, open)
      return "held"
    },
    setPolicy(policy) {
      decider = makeDecider(policy)
    },
    records: () => records.items().map((record) => ({ ...record })),
    held: () => [...held],
    cancelHeld(sessionId) {
      for (const one of [...held]) if (one.request.sessionId === sessionId) one.answer("cancelled")
    }
  }
}
