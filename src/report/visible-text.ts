/**
 * A text on one line in which everything can be seen: line ends, control and format characters (which can turn a line round in
 * a terminal) and halves of surrogate pairs are spelled out.
 *
 * @since 0.1.0
 * @category encoding
 */
export const visibleText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (unit) => escapes[unit] ?? `\\u{${codeOf(unit)}}`)

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const codeOf = (unit: string): string => (unit.codePointAt(0) ?? 0).toString(16)
