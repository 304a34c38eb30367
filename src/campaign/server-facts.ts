import type { TraceEvent } from "../domain/trace-event.ts"

/** What a server writes into its trace, in the numbers and names of the run. */
export type ServerFacts = (event: TraceEvent) => TraceEvent

/** Gives each server of a run its own numbers. */
export interface RunNumbers {
  /** For the next server of the run. */
  next(): ServerFacts
}

/**
 * Several servers in one run count their requests and actors each for itself, and may have expectations of one name. Judges see
 * one run: the first server keeps its names, and requests and actors are counted in the order in which they are seen.
 *
 * @since 0.1.0
 * @category constructors
 */
export const runNumbers = (): RunNumbers => {
  const counts = { request: 0, actor: 0, server: 0 }
  return {
    next() {
      const server = ++counts.server
      const known = { request: new Map<number, number>(), actor: new Map<number, number>() }
      const number = (kind: "request" | "actor", own: number): number => {
        const before = known[kind].get(own)
        if (before !== undefined) return before
        const given = ++counts[kind]
        known[kind].set(own, given)
        return given
      }
      const name = (own: string): string => (server === 1 ? own : `${own} (server ${server})`)
      return (event) => ({
        ...event,
        ...("request" in event ? { request: number("request", event.request) } : {}),
        ...("actor" in event ? { actor: number("actor", event.actor) } : {}),
        ...("retryOf" in event && event.retryOf !== null ? { retryOf: number("request", event.retryOf) } : {}),
        ...("expectation" in event && event.expectation !== null ? { expectation: name(event.expectation) } : {}),
        ...(event.type === "expectation" ? { name: name(event.name) } : {})
      })
    }
  }
}
