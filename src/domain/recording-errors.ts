/**
 * A file is no recording of a session.
 *
 * @since 0.1.0
 * @category errors
 */
export class RecordingInvalid extends Error {
  readonly _tag = "RecordingInvalid"
  /** The line that is wrong, from 1. */
  readonly line: number
  constructor(line: number, problem: string) {
    super(`line ${line} of the recording ${problem}`)
    this.name = "RecordingInvalid"
    this.line = line
  }
}

/**
 * A client sent something else than it did when a session was recorded.
 *
 * @since 0.1.0
 * @category errors
 */
export class RecordingMismatch extends Error {
  readonly _tag = "RecordingMismatch"
  /** Which line of the client it is, from 1. */
  readonly place: number
  /** What was recorded there, as in `request session/new`; `null` when nothing was. */
  readonly recorded: string | null
  readonly received: string
  constructor(place: number, lines: { readonly recorded: string | null; readonly received: string }) {
    const recorded = lines.recorded === null ? "nothing more was recorded" : `the recording has a ${lines.recorded}`
    super(`line ${place} of the client is a ${lines.received}, but ${recorded} there; record the session again`)
    this.name = "RecordingMismatch"
    this.place = place
    this.recorded = lines.recorded
    this.received = lines.received
  }
}
