import type { FrameDecision, FrameForwarded } from "./frame-decision.ts"

/**
 * The order of frames with one place for a frame that waits for the next: at most one frame is kept.
 *
 * **Takes** the frame that waits, or `null`, and the decision on the next frame; `null` for the end of input
 * **Gives** what is to be performed now, in order, and the frame that waits then. Behind a sever nothing comes
 *
 * @since 0.1.0
 * @category faults
 */
export const placeFrame = (
  waiting: FrameForwarded | null,
  decision: FrameDecision | null
): { readonly now: ReadonlyArray<FrameDecision>; readonly waiting: FrameForwarded | null } => {
  const behind = waiting === null ? [] : [waiting]
  if (decision === null) return { now: behind, waiting: null }
  if (decision.kind === "sever") return { now: [decision], waiting: null }
  if (decision.kind === "forward" && decision.isPostponed) return { now: behind, waiting: decision }
  return { now: [decision, ...behind], waiting: null }
}
