import fc from "fast-check"
import type { RequestClass } from "../../src/domain/classification.ts"
import { type BarrierPlace, barrierName, type Command, type RequestSpec } from "../model/command.ts"
import { weighted } from "./weighted.ts"

/** What has happened before a command: it may refer to it. */
export interface Past {
  readonly registrations: Array<PastRegistration>
  /** Each exchange, with its request if it is one for inference. */
  readonly exchanges: Array<RequestSpec | null>
  turns: number
  texts: number
}

/** For whom an expectation is, and where it waits. */
export interface PastRegistration {
  readonly matcher: RequestClass
  readonly barriers: ReadonlyArray<BarrierPlace>
}

/** A command to come; `null` when there is nothing that it could refer to. */
export type Draft = (past: Past) => Command | null

/** A command that refers to nothing. */
export const always =
  (command: Command): Draft =>
  () =>
    command

/** One of the things so far, the newest being 0. */
export const recent = (pick: number, count: number): number => count - 1 - (pick % count)

/** Mostly one of the newest. */
export const pick = weighted([5, 0], [3, 1], [1, 2], [1, 3], [1, 5], [1, 7])

/** Few, so that they clash. */
export const name = fc.constantFrom("x", "y", "z", "w", "v")

/** The request that was sent so long ago, if any. */
export const requestIn = (past: Past, pick: number): RequestSpec | undefined => {
  const known = past.exchanges.filter((spec) => spec !== null)
  return known.length === 0 ? undefined : known[recent(pick, known.length)]
}

/** Makes a request one that an expectation is for. */
export const matching = (spec: RequestSpec, { endpoint, kind }: RequestClass, hasIdentity: boolean): RequestSpec => {
  if (kind === "foreground") return { ...spec, endpoint, headers: hasIdentity ? "both" : "turn" }
  return { ...spec, endpoint, headers: hasIdentity ? "id" : "none", tools: Math.min(spec.tools, 1) }
}

/** The name of one of the barriers of an expectation, `null` for all when it has none. */
export const barrierOf = (past: Past, expectation: number, pick: number): string | null => {
  const places = past.registrations[expectation]?.barriers ?? []
  const place = places[pick % Math.max(1, places.length)]
  return place === undefined ? null : barrierName(place)
}
