import type { JsonObject } from "../json.ts"

/**
 * An event that waits for its sequence number: the payload is `head`, the number, `tail`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Frame {
  readonly event: string
  readonly head: string
  readonly tail: string
}

/**
 * A frame with the keys `type`, `sequence_number`, those of the reference (as JSON members, `""` for none), and then those
 * of `fields`.
 *
 * **Source** wire-formats.md, section 7.2, last paragraph
 *
 * @since 0.1.0
 * @category constructors
 */
export const frame = (event: string, fields: JsonObject, reference = ""): Frame => ({
  event,
  head: headOf(event),
  tail: `${leadingComma(reference)}${leadingComma(membersOf(fields))}}`
})

/**
 * The members of a JSON object as text, without its braces.
 *
 * @since 0.1.0
 * @category encoding
 */
export const membersOf = (fields: JsonObject): string => JSON.stringify(fields).slice(1, -1)

/**
 * The same fields under another type, without encoding them again.
 *
 * @since 0.1.0
 * @category constructors
 */
export const retyped = (frame: Frame, event: string): Frame => ({ event, head: headOf(event), tail: frame.tail })

/**
 * One frame for each piece, which stands under `delta` between the members of `reference` and of `trailer`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const deltaFrames = (
  event: string,
  {
    reference,
    pieces,
    trailer = {}
  }: {
    readonly reference: string
    readonly pieces: ReadonlyArray<string>
    readonly trailer?: JsonObject
  }
): ReadonlyArray<Frame> => {
  const head = headOf(event)
  const prefix = `,${reference},"delta":`
  const suffix = `${leadingComma(membersOf(trailer))}}`
  return pieces.map((piece) => ({ event, head, tail: prefix + JSON.stringify(piece) + suffix }))
}

/**
 * The repetition detector's frame, whose keys stand in its own order.
 *
 * **Source** wire-formats.md, section 2B.8
 *
 * @since 0.1.0
 * @category constructors
 */
export const checkFrame = (labels: ReadonlyArray<string>): Frame => ({
  event: checkEvent,
  head: '{"sequence_number":',
  tail: `,"type":"${checkEvent}","doom_loop_check":${JSON.stringify({ triggers: labels })}}`
})

/**
 * The name of the detector's frame, the only one that profile compact writes.
 *
 * @since 0.1.0
 * @category encoding
 */
export const checkEvent = "response.doom_loop_check"

/**
 * One detector frame for each prefix of the labels.
 *
 * @since 0.1.0
 * @category constructors
 */
export const checkFrames = (labels: ReadonlyArray<string>): ReadonlyArray<Frame> =>
  labels.map((_, index) => checkFrame(labels.slice(0, index + 1)))

/**
 * The payload under its sequence number.
 *
 * @since 0.1.0
 * @category encoding
 */
export const numbered = (frame: Frame, sequence: number): string => `${frame.head}${sequence}${frame.tail}`

const headOf = (event: string): string => `{"type":${JSON.stringify(event)},"sequence_number":`

const leadingComma = (members: string): string => (members === "" ? "" : `,${members}`)
