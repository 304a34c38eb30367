/**
 * The `logprobs` of one piece as JSON text: every piece counts as one token without alternatives.
 *
 * **Source** wire-formats.md, section 2A.6
 *
 * @since 0.1.0
 * @category encoding
 */
export const logprobsJson = (pieces: ReadonlyArray<string>, logprob: (piece: string) => number): string =>
  JSON.stringify({ content: pieces.map((piece) => tokenOf(piece, logprob(piece))), refusal: null })

const utf8 = new TextEncoder()

const tokenOf = (token: string, logprob: number) => ({
  token,
  logprob,
  bytes: Array.from(utf8.encode(token)),
  top_logprobs: []
})
