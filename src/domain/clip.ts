/**
 * A text of at most this many characters; what is cut shows it, and keeps nothing of the rest in memory.
 *
 * @since 0.1.0
 * @category encoding
 */
export const clip = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : own(`${text.slice(0, lengthMax - 1)}…`)

/** The same characters on their own: a piece of a text is a view that keeps all of the text alive. */
const own = (piece: string): string => {
  const copy: unknown = JSON.parse(JSON.stringify(piece))
  return typeof copy === "string" ? copy : piece
}
