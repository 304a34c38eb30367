import type { Clock } from "../../kernel/clock.ts"
import type { AgentEnd } from "../../ports/agent-surroundings.ts"
import { type RecordedEvent, recordedLine, recordingHead, type WireSide } from "./recording.ts"

/**
 * Writes down the wire of a session as it happens.
 *
 * @since 0.1.0
 * @category services
 */
export interface Recorder {
  /** A line, without its terminator. */
  line(from: WireSide, text: string): void
  inputEnded(): void
  /** The agent's process has ended. Nothing is recorded any more. */
  ended(end: AgentEnd): void
}

/**
 * **Takes** `append`: writes one line, LF not included, behind all others, and keeps it if we crash; `redact`: what of a line may be
 * kept, as `redactedWireLine` says it
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRecorder = (options: {
  readonly clock: Pick<Clock, "now">
  readonly append: (line: string) => void
  readonly redact: (text: string) => string
}): Recorder => {
  const { clock, append, redact } = options
  const startMs = clock.now()
  let isOver = false
  const note = (event: RecordedEvent): void => {
    if (!isOver) append(recordedLine(event))
    isOver = event.type === "end" || isOver
  }
  const ms = (): number => clock.now() - startMs
  append(recordingHead)
  return {
    line: (from, text) => note({ type: "line", from, ms: ms(), text: redact(text) }),
    inputEnded: () => note({ type: "input ended", ms: ms() }),
    ended: (end) => note({ type: "end", ms: ms(), end })
  }
}
