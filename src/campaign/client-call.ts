import type { RunFact } from "../oracles/run-event.ts"
import { asActor } from "../sim/fence-run.ts"
import { checked } from "../sim/sim-checks.ts"
import { insideCall } from "./call-context.ts"
import { shownPath } from "./shown-path.ts"
import { userPlace } from "./user-frames.ts"

/**
 * A call of a client, from the moment at which its program wants something until it has it or an error.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimCall {
  /** `call 1`, `call 2`, ... of its client. */
  readonly name: string
  /** Hand it to the client: `abort` aborts it. */
  readonly signal: AbortSignal
  /** Gives the call up, as a person does who presses Ctrl-C. The law `cancel` judges from here on. */
  abort(reason?: unknown): void
  /** Does what the model asked for by this id, in the sight of judges. */
  tool<A>(id: string, work: () => A | PromiseLike<A>): Promise<A>
}

/** Makes calls of clients that judges see. */
export type MakeCall = <A>(client: string, body: (call: SimCall) => A | PromiseLike<A>) => Promise<A>

/**
 * **Takes** `isTold`: whether somebody will tell of the run, and wants to know where tools are called, which costs a stack each
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeCalls = (
  tell: (client: string, fact: RunFact) => void,
  { isTold = false }: { readonly isTold?: boolean | undefined } = {}
): MakeCall => {
  const counts = new Map<string, number>()
  return (client, body) => {
    checked.callClient(client)
    checked.callBody(body)
    const count = (counts.get(client) ?? 0) + 1
    counts.set(client, count)
    const call = `call ${count}`
    const controller = new AbortController()
    const own: SimCall = {
      name: call,
      signal: controller.signal,
      abort(reason) {
        if (controller.signal.aborted) return
        tell(client, { type: "call.aborted", call })
        controller.abort(reason)
      },
      async tool(id, work) {
        checked.tool(id)
        checked.toolWork(work)
        const place = isTold ? userPlace() : null
        tell(client, { type: "tool.executed", call, tool: id, ...(place === null ? {} : { place: shownPath(place) }) })
        try {
          return await work()
        } finally {
          tell(client, { type: "tool.settled", call, tool: id })
        }
      }
    }
    return asActor(client, () => insideCall({ client, call, attempts: 0 }, () => made(own, { client, body, tell })))
  }
}

const made = async <A>(
  own: SimCall,
  parts: {
    readonly client: string
    readonly body: (call: SimCall) => A | PromiseLike<A>
    readonly tell: (client: string, fact: RunFact) => void
  }
): Promise<A> => {
  const { client, body, tell } = parts
  const settled = (as: "completed" | "failed"): void => tell(client, { type: "call.settled", call: own.name, as })
  tell(client, { type: "call.started", call: own.name })
  try {
    const value = await body(own)
    settled("completed")
    return value
  } catch (error) {
    settled("failed")
    throw error
  }
}
