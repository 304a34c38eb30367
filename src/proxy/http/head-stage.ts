import type { FramePart } from "../../wire/frames/frame-reader.ts"
import type { FrameProblem } from "../../wire/frames/framing.ts"
import { lineBlock } from "../../wire/http/line-block.ts"
import { badBytes, type HttpStage, looseBytes, wholeFrame } from "./http-stage.ts"

/** A head that was read: its bytes as they go on, and what comes behind it; or what is wrong with it. */
export type HeadOutcome = { readonly bytes: Uint8Array; readonly following: HttpStage } | { readonly problem: string }

/**
 * A head, which is given whole at all times.
 *
 * **Takes** `what`: whose head it is, for messages
 *
 * @since 0.1.0
 * @category constructors
 */
export const headStage = (terms: {
  readonly what: string
  readonly checkFirst: (line: string) => string | null
  readonly read: (block: Uint8Array) => HeadOutcome
}): HttpStage => {
  const { what, checkFirst, read } = terms
  const block = lineBlock({ what: `the head of ${what}`, checkFirst, skipsEmpty: true })
  let part: FramePart | null = null
  let following: HttpStage | null = null
  let problem: FrameProblem | null = null
  return {
    isBetween: true,
    take(chunk, from) {
      const at = block.take(chunk, from)
      const said = block.problem()
      if (said !== null) problem = badBytes(said)
      if (!block.isComplete()) return at
      const outcome = read(block.given())
      if ("problem" in outcome) problem = badBytes(outcome.problem)
      else {
        part = wholeFrame(outcome.bytes, "head", outcome.bytes.length)
        following = outcome.following
      }
      return at
    },
    give() {
      const given = part
      part = null
      return given
    },
    following: () => (part === null ? following : null),
    problem: () => problem,
    close() {},
    end: () => looseBytes(block.given()),
    isInFrame: () => false,
    openBytes: block.bytes,
    heldBytes: () => block.bytes() + (part?.bytes.length ?? 0)
  }
}
