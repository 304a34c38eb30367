import type { Turn, TurnCall } from "../voice.ts"

/**
 * All tool calls of a turn, in order.
 *
 * @since 0.1.0
 * @category constructors
 */
export const turnCalls = ({ parts }: Turn): ReadonlyArray<TurnCall> =>
  parts.flatMap((part) => (part.kind === "calls" ? part.calls : []))

/**
 * The text of a turn, or its reasoning; `null` when it has no such part.
 *
 * @since 0.1.0
 * @category constructors
 */
export const turnText = ({ parts }: Turn, kind: "text" | "reasoning"): string | null => {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.pieces.join("")] : []))
  return texts.length === 0 ? null : texts.join("")
}
