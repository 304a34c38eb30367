/** The two ways through a connection, named after the first pair of programs that stood at its ends. */
export type Direction = "clientToLeader" | "leaderToClient"

export const directions: ReadonlyArray<Direction> = ["clientToLeader", "leaderToClient"]

/** From one number to another, both included; without `to` there is no end. */
export interface Span {
  readonly from: number
  readonly to: number | null
}

/**
 * Which frames a rule is about: those for which every member holds that is not `null`. Frames are counted from 1, for each connection
 * and direction by itself; index 0 is that of no frame.
 *
 * @since 0.1.0
 * @category models
 */
export interface FrameMatch {
  readonly index: number | null
  readonly range: Span | null
  /** Every `step`-th frame, beginning with frame `first`. */
  readonly every: { readonly step: number; readonly first: number } | null
  /** The frame in which this byte of the direction stands; the first byte is 0. */
  readonly byteOffset: number | null
  /** What kind of frame its framing says that it is, as `head` or `data`. */
  readonly kind: string | null
  /** The method of a JSON-RPC message. */
  readonly method: string | null
  /** Values that stand at JSON pointers of the decoded content. */
  readonly where: ReadonlyMap<string, unknown> | null
  /** From code alone, as JSON holds no functions. */
  readonly test: ((content: unknown) => boolean) | null
  /** Of the frames of a direction of a connection for which everything else holds, chance aside, those with these numbers. */
  readonly nth: Span | null
  /** How likely it is, from 0 to 1, for a frame for which everything else holds. */
  readonly probability: number
}

/** What is done to a frame; the members of each kind are told by `ruleTable`. */
export type FaultAction =
  | { readonly type: "drop" }
  | { readonly type: "sever"; readonly afterBytes: number | null }
  | { readonly type: "corrupt"; readonly offset: number | null; readonly xor: number }
  | { readonly type: "truncateBody"; readonly keep: number }
  | { readonly type: "badLength"; readonly value: number }
  | { readonly type: "reorder"; readonly with: "next" }
  | { readonly type: "hold"; readonly barrier: string }
  | { readonly type: "delay"; readonly ms: number }
  | { readonly type: "latency"; readonly ms: number; readonly jitterMs: number }
  | { readonly type: "duplicate"; readonly copies: number }
  | { readonly type: "inject"; readonly bytes: Uint8Array; readonly at: "before" | "after" }
  | { readonly type: "splitWrites"; readonly chunkSizes: ReadonlyArray<number> }
  | { readonly type: "throttle"; readonly bytesPerSecond: number }
  | { readonly type: "stall" }
  | { readonly type: "halfClose" }
  | { readonly type: "vanish" }
  | { readonly type: "reset" }

export type ActionType = FaultAction["type"]

/**
 * One rule of a fault plan. `id` is unique in the plan; `times` bounds how many frames of one direction of one connection it is
 * applied to, `null` for no bound.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultRule {
  readonly id: string
  readonly direction: Direction | "both"
  /** Connections in the order in which they were accepted, from 1; `null` for every one. */
  readonly connection: Span | null
  readonly match: FrameMatch
  readonly action: FaultAction
  readonly times: number | null
}

/**
 * What a fault plan is read to: rules in order.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultProgram {
  readonly rules: ReadonlyArray<FaultRule>
}

/** The barriers at which rules let frames wait. */
export const barriersOf = (rules: ReadonlyArray<FaultRule>): ReadonlyArray<string> =>
  rules.flatMap(({ action }) => (action.type === "hold" ? [action.barrier] : []))

/** A match of every frame, of which others are made. */
export const everyFrame: FrameMatch = {
  index: null,
  range: null,
  every: null,
  byteOffset: null,
  kind: null,
  method: null,
  where: null,
  test: null,
  nth: null,
  probability: 1
}
