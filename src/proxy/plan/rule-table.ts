import type { ActionType } from "./fault-program.ts"

/** When in the life of a frame an action has its turn; the stages follow one another as `stages` does. */
export type Stage = "drop" | "sever" | "transform" | "place" | "hold" | "delay" | "copy" | "pace" | "end"

/** Precedence for one frame. `drop` and `sever` end it: no later stage is looked at. */
export const stages: ReadonlyArray<Stage> = [
  "drop",
  "sever",
  "transform",
  "place",
  "hold",
  "delay",
  "copy",
  "pace",
  "end"
]

/** What a kind of action does, and what counts when several rules name the same frame. */
export interface RuleRow {
  readonly stage: Stage
  /** What is said with it besides its type, with what stands for it where nothing does. */
  readonly members: ReadonlyArray<string>
  readonly effect: string
  readonly several: string
}

/**
 * What every action means, as data: plans are read by its names, and documentation is checked against its rows.
 *
 * **Source** agent-harness.md, section 6.3, which leaves the rows beyond drop, sever, delay and duplicate open
 *
 * @since 0.1.0
 * @category models
 */
export const ruleTable: Readonly<Record<ActionType, RuleRow>> = {
  drop: {
    stage: "drop",
    members: [],
    effect: "the frame is not forwarded",
    several: "as one"
  },
  sever: {
    stage: "sever",
    members: ["afterBytes"],
    effect:
      "a strict prefix is forwarded, then both sides are closed hard: `afterBytes`, at most all bytes but the last; without it half of the header, or half of the frame where there is no header, at least 1 byte; of a frame of one byte nothing",
    several: "the first rule"
  },
  corrupt: {
    stage: "transform",
    members: ["offset", "xor = 255"],
    effect:
      "the byte at `offset` is combined with `xor`; below 0 it counts from the end, outside the frame nothing changes, and without it a byte behind the header is drawn from the seed",
    several: "all, in the order of the rules"
  },
  truncateBody: {
    stage: "transform",
    members: ["keep"],
    effect: "of the body the first `keep` bytes stay, the header stays as it is",
    several: "all, in the order of the rules"
  },
  badLength: {
    stage: "transform",
    members: ["value"],
    effect:
      "the length in the header says `value`, of which the bytes are kept that its field has room for; framings without a length are left as they are",
    several: "all, in the order of the rules"
  },
  reorder: {
    stage: "place",
    members: ["with = next"],
    effect:
      "the frame is written behind the next frame of its direction; in the place of one that is dropped, before the end, also that of its body, where none comes, and never after a sever",
    several: "as one; the frame that another waits for does not wait itself"
  },
  hold: {
    stage: "hold",
    members: ["barrier"],
    effect: "the frame, and those behind it, wait until the test releases `barrier`, which then stays open",
    several: "each barrier has to be released"
  },
  delay: {
    stage: "delay",
    members: ["ms"],
    effect: "the frame, and those behind it, wait for `ms`, counted from its arrival or the release of its barriers",
    several: "the sum"
  },
  latency: {
    stage: "delay",
    members: ["ms", "jitterMs = 0"],
    effect: "as a delay of `ms` and a number of milliseconds from 0 to `jitterMs`, drawn from the seed",
    several: "the sum, with that of delays"
  },
  duplicate: {
    stage: "copy",
    members: ["copies = 2"],
    effect: "the frame is written `copies` times, one behind the other",
    several: "the greatest number"
  },
  inject: {
    stage: "copy",
    members: ["bytes", "at = after"],
    effect:
      "`bytes`, as `{ text }` or `{ hex }`, are written after the last copy, or with `at: before` before the first; they are no frame and are not counted",
    several: "all, in the order of the rules"
  },
  splitWrites: {
    stage: "pace",
    members: ["chunkSizes"],
    effect:
      "everything is written in pieces of `chunkSizes`, of which the last one is repeated; the system may join them for their reader",
    several: "the last rule"
  },
  throttle: {
    stage: "pace",
    members: ["bytesPerSecond"],
    effect: "no byte is written before its turn at `bytesPerSecond`, behind the turns of frames before it",
    several: "the slowest"
  },
  stall: {
    stage: "end",
    members: [],
    effect: "behind the frame this direction is read no more until the test resumes it",
    several: "the strongest of stall, halfClose, vanish and reset"
  },
  halfClose: {
    stage: "end",
    members: [],
    effect: "behind the frame the receiver's side is ended; what comes after it is read and thrown away",
    several: "as with stall"
  },
  vanish: {
    stage: "end",
    members: [],
    effect: "behind the frame nothing goes through in either direction, and nothing is closed",
    several: "as with stall"
  },
  reset: {
    stage: "end",
    members: [],
    effect: "behind the frame both sides are reset; over Unix sockets, which have no reset, closed hard",
    several: "as with stall"
  }
}

/** From the weakest to the strongest. */
export const endings = ["stall", "halfClose", "vanish", "reset"] as const

export type Ending = (typeof endings)[number]

/** What else the document leaves open, in a sentence each. */
export const planDecisions = {
  counting:
    "the number of a frame counts all that came before it, those that are dropped too, and copies do not shift it; nothing has number 0",
  cut: "a connection that is cut while a frame of it waits never forwards that; what waits, both ways, is thrown away",
  kept: "of a direction one frame and one chunk are kept at most, besides a frame that reorder lets wait for the next, and 64 KiB and a chunk that come while a frame is delayed",
  times: "`times` counts for each direction of each connection by itself",
  spent: "a rule has been applied when it matches, also where a stage before it wins",
  chance: "chance is asked last, once for a frame for which everything else holds, under a label of rule and frame",
  content: "a frame whose content cannot be decoded matches no rule that asks for content",
  added: "a rule that is added counts behind the others; what is removed and added again counts anew",
  paused: "a pause or a partition also keeps the rest of what waits, is delayed or is written in pieces",
  partition: "a partition stops reading, as the bytes of a real one are sent again when it heals",
  ended:
    "a client that ends while its upstream is still being connected to may wait for an answer: what it sent goes there all the same",
  drawn: "the calm answer of every draw is no fault, no jitter, and the first byte of the body"
} as const
