import { packageVersion } from "../campaign/package-version.ts"
import type { TraceEvent } from "../domain/trace-event.ts"
import type { Transition } from "../domain/transition.ts"
import { redactedOutput } from "../harness/diagnostics/sanitised-output.ts"
import type { TextMap } from "../harness/profile/agent-profile.ts"
import { redactedWireLine } from "../harness/recording/redacted-line.ts"
import type { WireEntry } from "../harness/wire/wire-log.ts"
import type { Redaction } from "./redaction.ts"
import { openTraceFile } from "./trace-file.ts"

/**
 * Everything that happens in a run of an agent, one line of JSON each, in the order in which it happened. Each has `from` and, but
 * for the first, `at` in milliseconds of one clock.
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentTrace {
  /** What is secret in lines and output, by the variables of the agent. */
  hides(variables: TextMap): void
  mock(event: TraceEvent): void
  wire(entry: WireEntry): void
  step(transition: Transition): void
  output(stream: "stdout" | "stderr", text: string, at: number): void
  close(): void
}

/** So much of the end of a stream is written. */
const outputMax = 65_536

/** A trace holds so much; what comes later is counted, and a last line `{ from: "run", leftOut: { lines, bytes }, bytesMax }` says so. */
export const traceBytesMax = 64 * 1024 * 1024

/** Without a file nothing is written. **Fails** with `RunFailed` @since 0.1.0 @category constructors */
export const openAgentTrace = (
  path: string | undefined,
  options: {
    readonly profile: string
    readonly mode: "headless" | "acp"
    readonly redaction: Redaction
    readonly failed: (reason: string) => void
    /** So much is written between the first line and the last; `traceBytesMax` by default. */
    readonly bytesMax?: number
  }
): AgentTrace => {
  if (path === undefined) return noTrace
  const { profile, mode, redaction, failed, bytesMax = traceBytesMax } = options
  const head = { from: "run", version: packageVersion(), pid: process.pid, profile, mode }
  const file = openTraceFile(path, { firstLine: JSON.stringify(head), failed })
  let variables: TextMap = {}
  let redactLine = redactedWireLine(variables)
  let roomBytes = bytesMax
  let leftOut = { lines: 0, bytes: 0 }
  const append = (from: string, record: object): void => {
    const line = JSON.stringify({ from, ...record })
    const bytes = Buffer.byteLength(line) + 1
    // Nothing is written behind a gap: a trace is the beginning of a run.
    if (leftOut.lines > 0 || bytes > roomBytes) {
      leftOut = { lines: leftOut.lines + 1, bytes: leftOut.bytes + bytes }
      return
    }
    roomBytes -= bytes
    file.append(line)
  }
  return {
    hides(given) {
      variables = given
      redactLine = redactedWireLine(given)
    },
    mock: (event) => append("mock", redaction.event(event)),
    wire: ({ seq, direction, at, text }) => append("wire", { at, seq, direction, text: redactLine(text) }),
    step: (transition) => append("harness", transition),
    output(stream, text, at) {
      const isCut = text.length > outputMax
      const shown = redactedOutput(text.slice(-outputMax), variables, { truncated: isCut })
      append("output", { at, stream, isCut, text: shown })
    },
    close() {
      if (leftOut.lines > 0) file.append(JSON.stringify({ from: "run", leftOut, bytesMax }))
      file.close()
    }
  }
}

const noTrace: AgentTrace = {
  hides: () => {},
  mock: () => {},
  wire: () => {},
  step: () => {},
  output: () => {},
  close: () => {}
}
