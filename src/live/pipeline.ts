import type { ServerResponse } from "node:http"
import type { Ending } from "../domain/plan.ts"
import type { Sink } from "../kernel/sink.ts"
import { httpSink } from "./http-sink.ts"

/** More requests than this before the first answer end the connection. */
export const pipelinedMax = 1_000

/**
 * The answers of one connection, in the order of its requests. Only the oldest is under way; the others begin when their
 * turn comes, and hold nothing until then. An answer that cuts the connection cuts no earlier one, and the turn of those
 * behind it never comes.
 *
 * @since 0.1.0
 * @category serving
 */
export interface Pipeline {
  /** The sink of one more response; `attach` is called when it is its turn, before it is told so. */
  add(response: ServerResponse, attach?: () => void): Sink
  /** No answer is under way, and none will be of what came. */
  isIdle(): boolean
  /** There are so many requests without an answer that one more is too many. */
  isFull(): boolean
}

/** A response that waits for its turn. */
interface Waiting {
  readonly response: ServerResponse
  turn(comes: boolean): void
}

/**
 * The answers of a connection; `idle` is called when the last one was handed over.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePipeline = (idle: (last: ServerResponse) => void): Pipeline => {
  const waiting: Array<Waiting> = []
  let current: ServerResponse | null = null
  let open = 0
  let tooLate = 0
  let isCut = false

  const ended = (response: ServerResponse, how: Ending): void => {
    if (how !== "end") cut()
    // Whoever drops a connection has still to do it.
    if (how === "fin" || how === "rst") return
    open--
    if (open === 0) idle(response)
    // Behind the flush of this one; a response that nobody waits for needs no listener.
    if (waiting.length > 0) response.once("finish", beginNext)
  }
  const cut = (): void => {
    isCut = true
    open -= waiting.length
    tooLate += waiting.length
    for (const { turn } of waiting.splice(0)) turn(false)
  }
  const beginNext = (): void => {
    const next = waiting.shift()
    current = next?.response ?? null
    next?.turn(true)
  }

  return {
    add(response, attach = () => {}) {
      const direct = httpSink(response, (how) => ended(response, how))
      if (isCut) {
        tooLate++
        const late = waitingSink(direct, attach)
        late.turn(false)
        return late.sink
      }
      const isFree = open === 0 && (current === null || current.writableFinished)
      open++
      if (isFree) {
        current = response
        attach()
        return direct
      }
      const { sink, turn } = waitingSink(direct, attach)
      // The last answer is handed over and not flushed: nobody will call this one in when it is.
      if (open === 1 && current !== null) current.once("finish", beginNext)
      waiting.push({ response, turn })
      return sink
    },
    isIdle: () => open === 0,
    isFull: () => open + tooLate >= pipelinedMax
  }
}

/** A sink that has nothing to do before its turn but to be closed with the server. */
const waitingSink = (direct: Sink, attach: () => void): { readonly sink: Sink; turn(comes: boolean): void } => {
  let comes: boolean | null = null
  let told: ((comes: boolean) => void) | null = null
  return {
    sink: {
      ...direct,
      finish(how, report) {
        if (comes === true) direct.finish(how, report)
        else report?.(false)
      },
      awaitTurn(turn) {
        if (comes === true) return false
        told = turn
        if (comes === false) turn(false)
        return true
      }
    },
    turn(itComes) {
      comes = itComes
      if (itComes) attach()
      told?.(itComes)
    }
  }
}
