import type { Turn } from "../voice.ts"

/**
 * The token counts of a turn in the fault server's dialect, `null` for a turn without any. Three input tokens, unless the
 * turn says otherwise.
 *
 * **Source** fault-server.md, section 1.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const mockTokens = ({
  usage = 3,
  outputTokens: output
}: Turn): { readonly input: number; readonly output: number; readonly total: number } | null =>
  usage === "none" ? null : { input: usage, output, total: usage + output }
