import type { Finish, Turn } from "../voice.ts"

const reasons: Readonly<Record<Finish, string | null>> = {
  stop: null,
  tool_calls: null,
  length: "max_output_tokens",
  content_filter: "content_filter"
}

/**
 * Why Responses calls a turn incomplete, `null` when it is complete.
 *
 * **Source** wire-formats.md, section 2F
 *
 * @since 0.1.0
 * @category encoding
 */
export const incompleteReason = ({ finish }: Turn): string | null => reasons[finish]
