import { describe, isRecord, member } from "../../domain/json.ts"
import { RecordingInvalid } from "../../domain/recording-errors.ts"
import type { AgentEnd } from "../../ports/agent-surroundings.ts"

/** Who wrote a line. */
export type WireSide = "client" | "agent"

/**
 * Something that happened on the wire of a session. `ms` are milliseconds from the start, in whatever time there was.
 *
 * @since 0.1.0
 * @category models
 */
export type RecordedEvent =
  | { readonly type: "line"; readonly from: WireSide; readonly ms: number; readonly text: string }
  /** The client closed the agent's input. */
  | { readonly type: "input ended"; readonly ms: number }
  /** The process of the agent ended. */
  | { readonly type: "end"; readonly ms: number; readonly end: AgentEnd }

/** The wire of a session, in order. */
export type Recording = ReadonlyArray<RecordedEvent>

/** The first line of every recording. */
export const recordingHead = '{"type":"recording","format":1}'

/**
 * An event as its line, without LF.
 *
 * @since 0.1.0
 * @category encoding
 */
export const recordedLine = (event: RecordedEvent): string => JSON.stringify(event)

/**
 * Reads a recording. What stands behind the last LF was cut off when it was written, and is no part of it.
 *
 * **Fails** with `RecordingInvalid`, which names the line
 *
 * @since 0.1.0
 * @category encoding
 */
export const readRecording = (text: string): Recording => {
  const [head, ...lines] = text.split("\n").slice(0, -1)
  if (head !== recordingHead) {
    throw new RecordingInvalid(1, `is ${describe(head ?? text)}; a recording begins with ${recordingHead}`)
  }
  return lines.map((line, index) => readEvent(line, index + 2))
}

const readEvent = (line: string, number: number): RecordedEvent => {
  const value = parsed(line)
  const [type, ms] = [member(value, "type"), member(value, "ms")]
  if (typeof ms === "number" && Number.isFinite(ms)) {
    if (type === "input ended") return { type, ms }
    const [from, text] = [member(value, "from"), member(value, "text")]
    if (type === "line" && (from === "client" || from === "agent") && typeof text === "string") {
      return { type, from, ms, text }
    }
    const end = readEnd(member(value, "end"))
    if (type === "end" && end !== null) return { type, ms, end }
  }
  throw new RecordingInvalid(number, `is ${describe(value ?? line)}, which is nothing that is recorded`)
}

const readEnd = (value: unknown): AgentEnd | null => {
  if (!isRecord(value)) return null
  const { kind, code, signal } = value
  if (kind === "exit" && typeof code === "number") return { kind, code }
  return kind === "crash" && typeof signal === "string" ? { kind, signal } : null
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
