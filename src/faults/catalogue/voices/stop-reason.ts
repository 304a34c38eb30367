import type { Finish, Turn } from "../voice.ts"

const reasons: Readonly<Record<Finish, string>> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal"
}

/**
 * Why a turn stopped, in the words of Messages.
 *
 * **Source** wire-formats.md, section 2F
 *
 * @since 0.1.0
 * @category encoding
 */
export const stopReason = ({ finish }: Turn): string => reasons[finish]
