/**
 * Cuts a text into the pieces that become deltas. The exact ones give the text back when joined.
 *
 * **Source** wire-formats.md, section 3.2
 *
 * @since 0.1.0
 * @category splitters
 */
export type Splitter = (text: string) => ReadonlyArray<string>

/**
 * Cuts before every space: the first piece is bare, every later one starts with a space. Exact.
 *
 * @since 0.1.0
 * @category splitters
 */
export const chatExact: Splitter = (text) => text.split(" ").map(spaceBefore)

/**
 * Cuts after every space: a piece keeps its trailing space; nothing for the empty text. Exact.
 *
 * @since 0.1.0
 * @category splitters
 */
export const responsesExact: Splitter = (text) => (text === "" ? [] : text.split(/(?<= )/))

/**
 * Words, every one but the first after one space. Collapses white space.
 *
 * @since 0.1.0
 * @category splitters
 */
export const chatEcho: Splitter = (text) => words(text).map(spaceBefore)

/**
 * Words, each with one space behind it, the last one included. Collapses white space.
 *
 * @since 0.1.0
 * @category splitters
 */
export const trailingEcho: Splitter = (text) => words(text).map((word) => `${word} `)

/**
 * The text in one piece, also the empty one. Exact.
 *
 * @since 0.1.0
 * @category splitters
 */
export const single: Splitter = (text) => [text]

/**
 * `count` code points a piece; a surrogate pair stays whole. Exact.
 *
 * @since 0.1.0
 * @category splitters
 */
export const codePoints = (count: number): Splitter => {
  const size = requireCount(count, "codePoints")
  return (text) => grouped(Array.from(text), size)
}

/**
 * `count` user-perceived characters a piece. Exact.
 *
 * @since 0.1.0
 * @category splitters
 */
export const graphemes = (count: number): Splitter => {
  const size = requireCount(count, "graphemes")
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })
  return (text) =>
    grouped(
      Array.from(segmenter.segment(text), (part) => part.segment),
      size
    )
}

/**
 * `count` UTF-16 units a piece: may cut a surrogate pair, which only JavaScript readers put together again. Exact.
 *
 * @since 0.1.0
 * @category splitters
 */
export const utf16 = (count: number): Splitter => {
  const size = requireCount(count, "utf16")
  return (text) => grouped(text.split(""), size)
}

const spaceBefore = (piece: string, index: number): string => (index === 0 ? piece : ` ${piece}`)

// Not `\s`, which misses U+0085 and takes U+FEFF for white space.
const words = (text: string): ReadonlyArray<string> => text.split(/\p{White_Space}+/u).filter((word) => word !== "")

const grouped = (units: ReadonlyArray<string>, size: number): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let from = 0; from < units.length; from += size) pieces.push(units.slice(from, from + size).join(""))
  return pieces
}

const requireCount = (count: number, splitter: string): number => {
  if (Number.isInteger(count) && count >= 1) return count
  throw new RangeError(`${splitter}(${count}): the size of a piece must be a whole number of at least 1`)
}
