/** What clients do, and how often beside each other. */
export const deeds = {
  /** A small answer. */
  completion: 30,
  /** A stream to its end. */
  stream: 20,
  /** A stream that stands at a barrier on its way. */
  scripted: 20,
  /** The same request twice at once, as a client that tries again too early. */
  double: 6,
  /** A stream of an agent, which waits at the gate while that is closed. */
  agent: 8,
  /** What stands in a queue, or else the usual. */
  queued: 8,
  /** A fault, asked for by its name. */
  fault: 8,
  /** A stream that its client leaves behind the first bytes. */
  abort: 12,
  /** A long prompt. */
  long: 4
} as const

export type Deed = keyof typeof deeds

/** Faults that end by themselves; the others would last as long as their client waits. */
export const shortFaults = [
  "rate_limit",
  "server_error",
  "service_unavailable",
  "partial_disconnect",
  "partial_eof",
  "malformed_json",
  "empty",
  "stream_disconnect",
  "connection_reset",
  "error_event",
  "success"
] as const

/** The paths of the three APIs. */
export const paths = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages"
} as const

/** A sequence of numbers from 0 to 1 that follows from its seed. */
export const numbersFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
