import type { FrameDecision } from "./frame-decision.ts"

/** Something that was decided: a frame, and what its holder wants to know of it. */
export interface Decided {
  readonly decision: FrameDecision
}

/**
 * The order of frames with one place for a frame that waits for the next: at most one frame is kept.
 *
 * **Takes** the frame that waits, or `null`, and the next frame; `null` for the end of input
 * **Gives** what is to be performed now, in order, the frame that waits then, and the one that is lost. Behind a sever nothing comes
 *
 * @since 0.1.0
 * @category faults
 */
export const placeFrame = <A extends Decided>(
  waiting: A | null,
  next: A | null
): { readonly now: ReadonlyArray<A>; readonly waiting: A | null; readonly lost: A | null } => {
  const behind = waiting === null ? [] : [waiting]
  if (next === null) return { now: behind, waiting: null, lost: null }
  if (next.decision.kind === "sever") return { now: [next], waiting: null, lost: waiting }
  if (next.decision.kind === "forward" && next.decision.isPostponed) return { now: behind, waiting: next, lost: null }
  return { now: [next, ...behind], waiting: null, lost: null }
}
