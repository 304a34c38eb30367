import type { Splitter } from "./splitters.ts"

/**
 * A text and the pieces in which it goes over the wire.
 *
 * @since 0.1.0
 * @category models
 */
export interface Fragments {
  readonly text: string
  readonly pieces: ReadonlyArray<string>
}

/**
 * Cuts a text and drops empty pieces, for an empty delta is legal but pointless.
 *
 * **Source** wire-formats.md, section 3.2, last paragraph
 *
 * @since 0.1.0
 * @category constructors
 */
export const fragments = (text: string, split: Splitter): Fragments => ({
  text,
  pieces: split(text).filter((piece) => piece !== "")
})
