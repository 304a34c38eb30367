/**
 * A text of at most this many characters; what is cut shows it.
 *
 * @since 0.1.0
 * @category encoding
 */
export const clip = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`
