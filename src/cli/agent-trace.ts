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

/** Without a file nothing is written. **Fails** with `RunFailed` @since 0.1.0 @category constructors */
export const openAgentTrace = (
  path: string | undefined,
  options: {
    readonly profile: string
    readonly mode: "headless" | "acp"
    readonly redaction: Redaction
    readonly failed: (reason: string) => void
  }
): AgentTrace => {
  if (path === undefined) return noTrace
  const { profile, mode, redaction, failed } = options
  const head = { from: "run", version: packageVersion(), pid: process.pid, profile, mode }
  const file = openTraceFile(path, { firstLine: JSON.stringify(head), failed })
  let variables: TextMap = {}
  let redactLine = redactedWireLine(variables)
  const append = (from: string, record: object): void => file.append(JSON.stringify({ from, ...record }))
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
    close: file.close
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
