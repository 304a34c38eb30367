import type { ServerResponse } from "node:http"
import type { Ending } from "../domain/plan.ts"
import type { Sink } from "../kernel/sink.ts"
import { gatherBytesMax, httpSink } from "./http-sink.ts"

/** More requests than this before the first answer end the connection. */
export const pipelinedMax = 1_000

/**
 * The answers of one connection, in the order of its requests. Only the oldest writes; what the others say is kept back,
 * up to a bound, until their turn. So an answer that cuts the connection cuts no earlier one, and a client that leaves is
 * noticed however much waits.
 *
 * @since 0.1.0
 * @category serving
 */
export interface Pipeline {
  /** The sink of one more response; `hasRoom` is called when it may write on. */
  add(response: ServerResponse, hasRoom: () => void): Sink
  /** Responses whose answers are not out yet. */
  open(): number
}

/** A response that waits for its turn. */
interface Waiting {
  readonly response: ServerResponse
  begin(): void
  /** Its turn never comes: the connection is gone. */
  drop(): void
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
  let isWatched = false

  const ended = (response: ServerResponse): void => {
    open--
    if (open === 0) idle(response)
    // Behind the flush of this one; a response that nobody waits for needs no listener.
    if (waiting.length > 0) response.once("finish", beginNext)
  }
  const beginNext = (): void => {
    const next = waiting.shift()
    current = next?.response ?? null
    next?.begin()
  }
  const closed = (): void => {
    for (const { drop } of waiting.splice(0)) drop()
  }

  return {
    add(response, hasRoom) {
      const isFree = open === 0 && (current === null || current.writableFinished)
      const direct = httpSink(response, () => ended(response))
      open++
      if (isFree) {
        current = response
        return direct
      }
      const held = heldSink(direct, hasRoom)
      // The last answer is handed over and not flushed: nobody will call this one in when it is.
      if (open === 1 && current !== null) current.once("finish", beginNext)
      waiting.push({ response, begin: held.begin, drop: held.drop })
      if (!isWatched) response.req.socket.once("close", closed)
      isWatched = true
      return held.sink
    },
    open: () => open
  }
}

/** Keeps back what is said until `begin`, or for ever. */
const heldSink = (direct: Sink, hasRoom: () => void): { readonly sink: Sink; begin(): void; drop(): void } => {
  let undelivered = (): void => {}
  let said: Array<() => void> | null = []
  let bytesHeld = 0
  let isFull = false
  const say = (word: () => void): void => {
    if (said === null) word()
    else said.push(word)
  }
  return {
    sink: {
      head: (status, headers, options) => say(() => direct.head(status, headers, options)),
      write(bytes) {
        if (said === null) return direct.write(bytes)
        said.push(() => direct.write(bytes))
        bytesHeld += bytes.length
        isFull = bytesHeld >= gatherBytesMax
        return !isFull
      },
      writeUnframed(bytes) {
        if (said === null) return direct.writeUnframed(bytes)
        said.push(() => direct.writeUnframed(bytes))
        bytesHeld += bytes.length
        isFull = bytesHeld >= gatherBytesMax
        return !isFull
      },
      flush: () => say(() => direct.flush()),
      finish(how: Ending, report) {
        if (report !== undefined) undelivered = () => report(false)
        say(() => direct.finish(how, report))
      }
    },
    begin() {
      const words = said ?? []
      said = null
      for (const word of words) word()
      if (isFull) hasRoom()
    },
    drop() {
      said = []
      undelivered()
    }
  }
}
