/**
 * The end of a text, of at most this many characters; half of a surrogate pair is left out.
 *
 * @since 0.1.0
 * @category encoding
 */
export const textTail = (text: string, lengthMax: number): string => {
  if (text.length <= lengthMax) return text
  const start = text.length - lengthMax
  const code = text.charCodeAt(start)
  return text.slice(code >= 0xdc00 && code <= 0xdfff ? start + 1 : start)
}
