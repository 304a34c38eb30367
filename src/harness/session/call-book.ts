import { agentCallMachine, type CallAnswer } from "../../../machines/agent-call.machine.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { AgentError, AgentInputClosed, ProtocolViolation, RequestTimeout } from "../../domain/harness-errors.ts"
import { Cancelled } from "../../domain/harness-scope-errors.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import type { RpcOutcome } from "../../wire/acp/line-content.ts"
import { requestLine } from "../../wire/acp/write-line.ts"
import type { StdioWire } from "../wire/stdio-wire.ts"

/** How a call came out. */
export type CallOutcome =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "failed"; readonly error: Error }

/** A call that is to be made. */
export interface CallAsked {
  readonly method: string
  readonly params: unknown
  /** What it is called in errors, as in `session/set_model(fast)`. */
  readonly what: string
  /** Already scaled; `null` waits for ever. */
  readonly ms: number | null
  /** Called once, in a step of its own. */
  settled(outcome: CallOutcome): void
}

/** What came of a response. */
export type ResponseFate = "taken" | "late" | "orphan" | "duplicate"

/**
 * The calls of a session: each has a number that no other has, and settles once.
 *
 * **Source** agent-harness.md, sections 2.4 and 7.2
 */
export interface CallBook {
  /** Sends a request. The function it gives abandons it. **Fails** with `InvalidOption` for parameters that are no JSON */
  open(asked: CallAsked): () => void
  /** A response came; `line` is its text. */
  respond(response: { readonly id: unknown; readonly outcome: RpcOutcome; readonly line: string }): ResponseFate
  /** Nothing will be answered any more: what waits, and what is called from now on, fails with this. */
  end(error: Error): void
}

interface CallData {
  readonly id: number
  readonly asked: CallAsked
  readonly book: BookData
  /** The line of its response. */
  line: string
  unsentBecause: Error | null
}

interface BookData {
  readonly supervisor: Supervisor
  readonly diagnostics: () => string
  readonly shown: (text: string) => string
  /** Those that wait, and those that were given up and not answered yet. */
  readonly calls: Map<number, CallActor>
  over: Error | null
}

type CallActor = Actor<typeof agentCallMachine, CallData>

const kind = actorKind<typeof agentCallMachine, CallData>(compileChart(agentCallMachine), {
  settle: ({ answer }, { data }) => data.asked.settled(outcomeOf(answer, data)),
  rejectClosed: (_, { data }) => fail(data, data.book.over ?? new Error("the session has ended")),
  rejectUnsent(_, { data }) {
    const why = data.unsentBecause?.message ?? "it takes no input"
    fail(data, new AgentInputClosed(`${data.asked.what} was not sent: ${why}`, diagnosed(data)))
  },
  rejectLate: (_, { data }) =>
    fail(data, new RequestTimeout(data.asked.what, { ms: data.asked.ms ?? 0, ...diagnosed(data) })),
  rejectCancelled: (_, { data }) => fail(data, new Cancelled(`${data.asked.what} was given up`)),
  forget: (_, { data }) => void data.book.calls.delete(data.id)
})

const diagnosed = ({ book }: CallData): { readonly diagnostics: string } => ({ diagnostics: book.diagnostics() })

const fail = ({ asked }: CallData, error: Error): void => asked.settled({ kind: "failed", error })

/** The chart passes an answer on as it got it. */
const isOutcome = (answer: CallAnswer): answer is RpcOutcome =>
  answer.kind === "result" ? "result" in answer : answer.kind === "error" ? "error" in answer : "reason" in answer

const outcomeOf = (answer: CallAnswer, data: CallData): CallOutcome => {
  const { what } = data.asked
  const { shown } = data.book
  if (!isOutcome(answer)) return { kind: "failed", error: new Error(`${what} was answered with nothing`) }
  if (answer.kind === "result") return { kind: "result", result: answer.result }
  if (answer.kind === "error") {
    const { code, message, data: said } = answer.error
    return {
      kind: "failed",
      error: new AgentError(message, { what, code, data: said, shown: shown(message), ...diagnosed(data) })
    }
  }
  const error = new ProtocolViolation(`${what} was answered with ${answer.reason}`, {
    line: shown(data.line),
    ...diagnosed(data)
  })
  return { kind: "failed", error }
}

/**
 * The line of a message whose parameters are the caller's.
 *
 * **Fails** with `InvalidOption` for parameters that are no JSON
 */
export const sendable = (what: string, line: () => string): string => {
  try {
    return line()
  } catch (error) {
    const why = error instanceof Error ? error.message : "no JSON"
    throw new InvalidOption(`the parameters of ${what} cannot be sent: ${why}`)
  }
}

/** @since 0.1.0 @category constructors */
export const makeCallBook = (options: {
  readonly supervisor: Supervisor
  readonly wire: StdioWire
  readonly diagnostics: () => string
  /** Makes text of the agent fit to be shown. */
  readonly shown: (text: string) => string
}): CallBook => {
  const { supervisor, wire, diagnostics, shown } = options
  const book: BookData = { supervisor, diagnostics, shown, calls: new Map(), over: null }
  let lastId = 0

  const deliver = (call: CallActor, event: { readonly type: "unsent" | "closed" | "cancelled" }): void => {
    if (call.snapshot.status === "active") supervisor.deliver(call, event)
  }

  return {
    open(asked) {
      const { over } = book
      if (over !== null) {
        supervisor.run(() => asked.settled({ kind: "failed", error: over }))
        return () => {}
      }
      const text = sendable(asked.what, () => requestLine(lastId + 1, asked.method, asked.params))
      const id = ++lastId
      const call: CallActor = supervisor.spawn(
        kind,
        { deadlineMs: asked.ms },
        { id, asked, book, line: "", unsentBecause: null }
      )
      book.calls.set(id, call)
      wire.send({
        text,
        failed(error) {
          call.data.unsentBecause = error
          deliver(call, { type: "unsent" })
        }
      })
      return () => deliver(call, { type: "cancelled" })
    },
    respond({ id, outcome, line }) {
      const call = typeof id === "number" ? book.calls.get(id) : undefined
      if (call === undefined) {
        const wasOurs = typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= lastId
        return wasOurs ? "duplicate" : "orphan"
      }
      // Answered, though the answer still waits in the mailbox.
      book.calls.delete(call.data.id)
      call.data.line = line
      const fate = call.snapshot.state === "abandoned" ? "late" : "taken"
      supervisor.deliver(call, { type: "answered", answer: outcome })
      return fate
    },
    end(error) {
      book.over ??= error
      for (const call of [...book.calls.values()]) deliver(call, { type: "closed" })
    }
  }
}
