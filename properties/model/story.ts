import type { RequestKind } from "../../src/domain/classification.ts"
import type { Ending as AnyEnding } from "../../src/domain/plan.ts"

/** The ways an answer ends here. */
export type Ending = Extract<AnyEnding, "end" | "fin" | "rst" | "halfClose" | "stall">

/**
 * A story: what a test, its clients and the clock do to one server, and in which order their steps are taken.
 *
 * `schedule` picks one of those who can take their next step, again and again; 0 is the calm default, also when it has run
 * out: the test first, then the clients in order, then promises and clock.
 */
export interface Story {
  readonly isStrict: boolean
  /** Attempts are counted from the start, and not from the first `expectAttempts`. */
  readonly isCounting: boolean
  /** A retry takes what was written for its own call, or what comes next; where attempts are counted from the start. */
  readonly retries: "own" | "any"
  readonly deeds: ReadonlyArray<Deed>
  readonly visits: ReadonlyArray<Visit>
  readonly schedule: ReadonlyArray<number>
}

/** One client: what it asks, one after the other on a connection that is used again where that is possible. */
export interface Visit {
  readonly asks: ReadonlyArray<{ readonly ask: Ask; readonly cuts: Cuts }>
  /** It disconnects instead of its step of this number; `null`: it stays. */
  readonly leavesAt: number | null
}

/**
 * Where a request arrives in pieces, and others come between: bit 1 cuts in its head, bit 2 between head and body, or in the
 * body. The port gives whole heads and whole bodies, so that no finer cut makes a difference.
 */
export type Cuts = 0 | 1 | 2 | 3

export type StoryEndpoint = "ChatCompletions" | "Responses"

/** One request; equal asks are identical on the wire. */
export interface Ask {
  readonly endpoint: StoryEndpoint
  readonly kind: RequestKind
  /** How it says its session; `words` is the first user message. */
  readonly tells: "x-grok-session-id" | "session-id" | "prompt_cache_key" | "bearer" | "words"
  readonly session: "ann" | "bob"
  readonly turn: 1 | 2
  readonly words: 0 | 1
  /** `x-grok-req-id` */
  readonly id: "a" | "b" | null
  /** `idempotency-key` */
  readonly key: "k" | null
}

/** Which requests a script or a taker is for; `null`: any. A script for any kind is for auxiliary ones. */
export interface Wanted {
  readonly endpoint: StoryEndpoint | null
  readonly kind: RequestKind | null
  readonly session: "ann" | "bob" | null
  readonly turn: 1 | 2 | null
}

/** One scripted answer. Without a body it ends before its head, and never cleanly. */
export interface Line {
  readonly body: "events" | "text" | "none"
  readonly status: 200 | 500
  readonly ending: Ending
  /** It stands before its last step until it is released. */
  readonly isBarred: boolean
}

/** What a test says to a call in its hand. */
export type Word =
  | { readonly says: "reply"; readonly line: Line }
  | { readonly says: "replyText" | "fail" | "proceed" | "stream" | "write" }
  | { readonly says: "hangUp"; readonly ending: Exclude<Ending, "end"> }
  | { readonly says: "end"; readonly ending: Ending }

/** One thing that the test does. Numbers that name something are taken modulo how much there is. */
export type Deed =
  | { readonly does: "expect"; readonly wanted: Wanted; readonly line: Line; readonly times: number | null }
  | {
      readonly does: "any" | "attempts"
      readonly members: ReadonlyArray<{ readonly wanted: Wanted; readonly line: Line }>
    }
  | { readonly does: "take"; readonly wanted: Wanted; readonly count: number | null }
  | { readonly does: "say"; readonly call: number; readonly word: Word }
  | { readonly does: "release" | "retire"; readonly script: number }
  | { readonly does: "close"; readonly drainMs: number }
  | { readonly does: "advance"; readonly ms: number }

/** What server and model show after each step, as data. */
export interface StoryView {
  /** By client, what it has of its present request. */
  readonly clients: ReadonlyArray<ClientView | null>
  /** Each end of an answer that a client saw, with what it had then, in order. */
  readonly ends: ReadonlyArray<string>
  /** By `take`: the calls that the test got, or that it got none. */
  readonly hands: ReadonlyArray<ReadonlyArray<CallView> | "waits" | "failed">
  readonly phases: ReadonlyArray<string>
  readonly leftovers: ReadonlyArray<string>
  /** By `say`: which call, what was said, and `accepted` or `too late`. */
  readonly said: ReadonlyArray<string>
  /** Requests in the order of their arrival: how they settled. */
  readonly settled: ReadonlyArray<string>
  readonly isClosed: boolean
}

export interface ClientView {
  readonly isOpen: boolean
  readonly status: number | null
  readonly text: string
  readonly ended: string | null
}

export interface CallView {
  readonly number: number
  readonly isGone: boolean
}

/** What the events of a scripted answer carry. */
export const eventsOf = (label: string): readonly [string, string] => [`data: ${label} a\n\n`, `data: ${label} b\n\n`]

/** One expectation that a deed registers; `label` is what its answer says. */
export interface Member {
  readonly name: string
  readonly label: string
  readonly wanted: Wanted
  readonly line: Line
}

/** What a deed registers. `times` is the same answer several times. */
export const membersOf = (
  deed: Extract<Deed, { does: "expect" | "any" | "attempts" }>,
  index: number
): ReadonlyArray<Member> => {
  const label = `script ${index}`
  if (deed.does !== "expect") {
    return deed.members.map((member, at) => ({ name: `${label}#${at + 1}`, label: `${label}#${at + 1}`, ...member }))
  }
  const { wanted, line, times } = deed
  if (times === null) return [{ name: label, label, wanted, line }]
  return Array.from({ length: times }, (_, at) => ({ name: `${label}#${at + 1}`, label, wanted, line }))
}
