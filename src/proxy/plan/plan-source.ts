import type { Direction } from "./fault-program.ts"

/** Names of the two directions; the short ones mean the same: client to upstream, and upstream to client. */
export type DirectionSource = Direction | "c2u" | "u2c"

/** A number, or from one to another, both included; without `to` there is no end. */
export type SpanSource = number | { readonly from?: number; readonly to?: number | null }

/** Which frames a rule is about: those for which every member holds; without any, all of them. */
export interface MatchSource {
  /** Counts from 1 in each direction of each connection. */
  readonly index?: number | null
  readonly range?: SpanSource | null
  /** Every so many; an object says also which is the first. */
  readonly every?: number | { readonly step: number; readonly first?: number } | null
  /** The frame in which this byte of the direction stands; the first byte is 0. */
  readonly byteOffset?: number | null
  /** What kind of frame its framing says that it is: `head`, `body` and `event` of HTTP; `text`, `ping` and others of web sockets. */
  readonly kind?: string | null
  /** The method of a JSON-RPC message. */
  readonly method?: string | null
  /** Values at JSON pointers of the decoded content. */
  readonly where?: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown> | null
  /** From code alone. */
  readonly test?: ((content: unknown) => boolean) | null
  /** Of the frames for which everything else holds those with these numbers, as the third event. */
  readonly nth?: SpanSource | null
  /** From 0 to 1, for a frame for which everything else holds; drawn from the seed. */
  readonly probability?: number
}

/** What is injected: a text, pairs of hex digits, or bytes. */
export type BytesSource = Uint8Array | { readonly text: string } | { readonly hex: string }

/** What is done to a frame. Actions without members may be written as their name alone. */
export type ActionSource =
  | "drop"
  | "sever"
  | "corrupt"
  | "reorder"
  | "duplicate"
  | "stall"
  | "halfClose"
  | "vanish"
  | "reset"
  | { readonly type: "drop" | "stall" | "halfClose" | "vanish" | "reset" }
  | { readonly type: "sever"; readonly afterBytes?: number | null }
  | { readonly type: "corrupt"; readonly offset?: number | null; readonly xor?: number }
  | { readonly type: "truncateBody"; readonly keep: number }
  | { readonly type: "badLength"; readonly value: number }
  | { readonly type: "reorder"; readonly with?: "next" }
  | { readonly type: "hold"; readonly barrier: string }
  | { readonly type: "delay"; readonly ms: number }
  | { readonly type: "latency"; readonly ms: number; readonly jitterMs?: number }
  | { readonly type: "duplicate"; readonly copies?: number }
  | { readonly type: "inject"; readonly bytes: BytesSource; readonly at?: "before" | "after" }
  | { readonly type: "splitWrites"; readonly chunkSizes: ReadonlyArray<number> }
  | { readonly type: "throttle"; readonly bytesPerSecond: number }

/**
 * A rule as it is written.
 *
 * @since 0.1.0
 * @category models
 */
export interface RuleSource {
  /** Default: `rule-` and its place. */
  readonly id?: string
  /** Default `clientToLeader`. */
  readonly direction?: DirectionSource | "both"
  /** Connections in the order in which they were accepted, from 1; default: all. */
  readonly connection?: SpanSource | null
  readonly match?: MatchSource
  readonly action: ActionSource
  /** To how many frames of each direction of each connection it is applied; default: all. */
  readonly times?: number | null
}

/**
 * A fault plan as it is written: rules in order, or one direction and up to four faults.
 *
 * **Source** agent-harness.md, section 6.3
 *
 * @since 0.1.0
 * @category models
 */
export type PlanSource =
  | { readonly rules: ReadonlyArray<RuleSource> }
  | {
      /** Default `clientToLeader`. */
      readonly direction?: DirectionSource
      readonly dropFrame?: number
      readonly severMidFrame?: number | { readonly frame: number; readonly afterBytes?: number }
      readonly delay?: { readonly frame: number; readonly ms: number }
      readonly duplicateFrame?: number
    }
