import type { BodyStep } from "../../../domain/body-step.ts"
import type { FaultSettings } from "../../../domain/fault-options.ts"
import { keepAliveFrame } from "../../../wire/sse-frame.ts"
import { bodyOf, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

/** Longer than any client waits for its first token. */
const lifeMs = 3_600_000

/** A plan is finite, and this many of its steps are small enough to hold. */
const beatsMax = 10_000

const beats = (bytes: string, { heartbeatMs }: FaultSettings): ReadonlyArray<BodyStep> => {
  const beat: ReadonlyArray<BodyStep> = [
    { kind: "bytes", bytes, events: 0 },
    { kind: "wait", ms: heartbeatMs }
  ]
  return Array.from({ length: Math.min(beatsMax, Math.ceil(lifeMs / heartbeatMs)) }, () => beat).flat()
}

/**
 * A connection that is alive, and an answer that never comes: for an hour, or for 10,000 comments where these are
 * sooner over. After that it stalls. A JSON reply has blank lines for comments, as providers send them.
 */
export const commentStall: Behavior = {
  name: "comment_stall",
  summary: "comments and no data (JSON: blank lines)",
  uses: ["heartbeatMs"],
  outcome: "stalled",
  stream: ({ voice, settings }) => streamOf(voice, beats(keepAliveFrame, settings), { ending: "stall" }),
  reply: ({ settings }) => bodyOf("", { before: beats("\n", settings), ending: "stall" })
}
