import { type Line, lineSplitter } from "../../wire/acp/line-splitter.ts"
import type { FakeAgentPorts, RunningFakeAgent } from "../fake-agent/agent-ports.ts"
import type { Recorder } from "./recorder.ts"
import type { WireSide } from "./recording.ts"

/**
 * An agent whose session is recorded, line by line as each is complete.
 *
 * @since 0.1.0
 * @category constructors
 */
export const recordAgent = (
  recorder: Recorder,
  { ports, make }: { readonly ports: FakeAgentPorts; readonly make: (ports: FakeAgentPorts) => RunningFakeAgent }
): RunningFakeAgent => {
  const client = lineSplitter()
  const written = lineSplitter()
  const note = (from: WireSide, line: Line | null): void => {
    if (line !== null) recorder.line(from, line.text)
  }
  const agent = make({
    ...ports,
    write(bytes) {
      for (const line of written.push(bytes).lines) note("agent", line)
      ports.write(bytes)
    },
    end(end) {
      note("agent", written.end())
      recorder.ended(end)
      ports.end(end)
    }
  })
  return {
    received(bytes) {
      const { lines, overflow } = client.push(bytes)
      // One at a time, so that what the agent says to the first stands before the second.
      for (const line of lines) {
        note("client", line)
        agent.received(line.bytes)
      }
      if (overflow !== null) agent.received(bytes)
    },
    inputEnded() {
      const last = client.end()
      note("client", last)
      if (last !== null) agent.received(last.bytes)
      recorder.inputEnded()
      agent.inputEnded()
    }
  }
}
