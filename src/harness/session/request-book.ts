import { agentRequestMachine } from "../../../machines/agent-request.machine.ts"
import type { RefusalReason } from "../../domain/refusal-reason.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import { idKey } from "../../wire/acp/request-id.ts"
import { errorLine, resultLine } from "../../wire/acp/write-line.ts"
import type { StdioWire } from "../wire/stdio-wire.ts"
import type { AgentRequest, HandlerAnswer, OpenRequest, RequestAnswer } from "./agent-request.ts"

/**
 * The requests of an agent: each gets one answer.
 *
 * **Source** agent-harness.md, sections 2.5 and 7.2
 */
export interface RequestBook {
  /** Takes a request. Gives whether another one with its id waits for an answer. */
  open(
    request: { readonly idToken: string; readonly method: string; readonly params: unknown },
    handler: (open: OpenRequest) => HandlerAnswer
  ): { readonly isRepeated: boolean }
  /** The agent takes requests with this id back; whether there were any. */
  cancel(idToken: string): boolean
  /** The wire has ended: nothing is answered any more. */
  end(): void
}

interface RequestData {
  readonly supervisor: Supervisor
  readonly wire: StdioWire
  readonly request: AgentRequest
  readonly abort: AbortController
  readonly handler: (open: OpenRequest) => HandlerAnswer
  readonly open: OpenRequests
}

/** Requests without an answer, by what makes their ids the same. */
type OpenRequests = Map<string, Set<RequestActor>>

type RequestActor = Actor<typeof agentRequestMachine, RequestData>

const cancelledCode = -32_800
const internalCode = -32_603

const kind = actorKind<typeof agentRequestMachine, RequestData>(compileChart(agentRequestMachine), {
  handle: (_, request) => runHandler(request),
  sendResult({ result }, { data }) {
    send(data, () => resultLine(data.request.idToken, result))
  },
  sendRefusal({ error }, { data }) {
    send(data, () => errorLine(data.request.idToken, error))
  },
  sendCancelled(_, { data }) {
    send(data, () =>
      errorLine(data.request.idToken, { code: cancelledCode, message: "request cancelled", data: undefined })
    )
  },
  abortHandler: (_, { data }) => data.abort.abort(),
  forget(_, request) {
    const { open, request: asked } = request.data
    const key = idKey(asked.idToken)
    const same = open.get(key)
    same?.delete(request)
    if (same?.size === 0) open.delete(key)
  }
})

const send = ({ wire, request }: RequestData, line: () => string): void => {
  let text: string
  try {
    text = line()
  } catch (error) {
    text = errorLine(request.idToken, internalError(error))
  }
  // An agent that takes no answer any more has no use for another.
  wire.send({ text, failed: () => {} })
}

const internalError = (error: unknown): RefusalReason => ({
  code: internalCode,
  message: error instanceof Error ? error.message : String(error),
  data: undefined
})

const answer = (request: RequestActor, given: RequestAnswer): boolean => {
  if (request.snapshot.status !== "active") return false
  const { supervisor } = request.data
  supervisor.deliver(
    request,
    given.kind === "result"
      ? { type: "answer.given", result: given.result }
      : { type: "refusal.given", error: given.error }
  )
  return true
}

const runHandler = (request: RequestActor): void => {
  const { data } = request
  const fail = (error: unknown): void => void answer(request, { kind: "refusal", error: internalError(error) })
  let made: HandlerAnswer
  try {
    made = data.handler({ request: data.request, answer: (given) => answer(request, given) })
  } catch (error) {
    fail(error)
    return
  }
  if (made === "held") data.supervisor.deliver(request, { type: "held" })
  else if (made instanceof Promise) made.then((given) => answer(request, given), fail)
  else answer(request, made)
}

/** @since 0.1.0 @category constructors */
export const makeRequestBook = (supervisor: Supervisor, wire: StdioWire): RequestBook => {
  const open: OpenRequests = new Map()
  return {
    open(asked, handler) {
      const key = idKey(asked.idToken)
      const same = open.get(key) ?? new Set()
      open.set(key, same)
      const isRepeated = same.size > 0
      const abort = new AbortController()
      const request: RequestActor = supervisor.spawn(kind, undefined, {
        supervisor,
        wire,
        request: { ...asked, signal: abort.signal },
        abort,
        handler,
        open
      })
      if (request.snapshot.status === "active") same.add(request)
      return { isRepeated }
    },
    cancel(idToken) {
      const found = [...(open.get(idKey(idToken)) ?? [])]
      for (const request of found) supervisor.deliver(request, { type: "cancel.asked" })
      return found.length > 0
    },
    end() {
      for (const same of [...open.values()])
        for (const request of [...same]) supervisor.deliver(request, { type: "wire.ended" })
    }
  }
}
