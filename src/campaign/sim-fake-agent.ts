import type { FakeAgentPorts, RunningFakeAgent } from "../harness/fake-agent/agent-ports.ts"
import { makeFakeAgent } from "../harness/fake-agent/fake-agent.ts"
import { readFakeScript } from "../harness/fake-agent/read-script.ts"
import { readRecording } from "../harness/recording/recording.ts"
import { makeReplayedAgent } from "../harness/recording/replayed-agent.ts"
import type { Clock } from "../kernel/clock.ts"
import { askModelOver } from "../live/ask-model.ts"
import type { AskModel, TextStore } from "../ports/agent-surroundings.ts"
import type { SimPairOptions } from "../sim/transport-pairs.ts"
import type { SimChild, SimProcess } from "../sim/transport-process.ts"
import { packageVersion } from "./package-version.ts"
import type { SimWorld } from "./sim-world.ts"

/** What a fake agent of a simulated world is, and how it is reached. */
export interface SimFakeAgentOptions extends SimPairOptions {
  /** The name of its streams in labels and errors. Default `agent`. */
  readonly name?: string
  /**
   * What it does, as `understudy fake-agent --script` reads it; what is left out is calm. Of a process it has no more than streams:
   * `ignoreTerm` and `grandchild` do nothing.
   */
  readonly script?: object
  /** Instead of that: the text of a recorded session, whose agent it is. */
  readonly recording?: string
  /** The URL of the model that `answer: { kind: "mock" }` asks, as `server.url()` gives it. */
  readonly mockUrl?: string
  /** Sessions that outlive it: give two agents the same map. */
  readonly sessions?: Map<string, string>
}

/**
 * Starts an agent that speaks ACP and does what a script says, in the world of a run: for clients of agents. What it writes is late,
 * is cut, and meets the faults of the network like any other stream.
 *
 * **Gives** what a client has that has started a process: `stdin`, `stdout`, `stderr`, `kill`, and events `exit` and `close`
 * **Fails** with `InvalidOption` for a script that cannot be read, and with `RecordingInvalid`
 * **Source** agent-harness.md, appendix A
 *
 * @since 0.1.0
 * @category simulation
 */
export const simFakeAgent = (sim: SimWorld, options: SimFakeAgentOptions = {}): SimChild => {
  const { name = "agent", script = {}, recording, mockUrl, sessions, ...pair } = options
  const make = recording === undefined ? scripted(script) : replayed(recording)
  const process = sim.stdioPair(name, pair)
  const { parent, child } = process
  const clock = clockUntil(parent, sim.ports.clock)
  const agent = make({
    clock,
    version: packageVersion(),
    store: sessions === undefined ? noStore : storeOf(sessions),
    askModel:
      mockUrl === undefined
        ? noModel
        : askModelOver({ baseUrl: mockUrl, apiKey: "test-key-for-ci", model: "fake-model", fetch: sim.fetch(name) }),
    ...streamsOf(process)
  })
  child.stdin.on("data", (bytes: Uint8Array) => agent.received(bytes))
  child.stdin.on("end", () => agent.inputEnded())
  return parent
}

type Make = (ports: FakeAgentPorts) => RunningFakeAgent

const scripted = (script: object): Make => {
  const checked = readFakeScript(script)
  return (ports) => makeFakeAgent(checked, ports)
}

const replayed = (recording: string): Make => {
  const checked = readRecording(recording)
  return (ports) => makeReplayedAgent(checked, ports)
}

/** What is written to a process that is gone is lost. */
const streamsOf = ({
  parent,
  child
}: SimProcess): Pick<FakeAgentPorts, "write" | "complain" | "closeOutput" | "end"> => ({
  write(bytes) {
    if (child.stdout.writable) child.stdout.write(bytes)
  },
  complain(text) {
    if (child.stderr.writable) child.stderr.write(text)
  },
  closeOutput: () => void child.stdout.end(),
  end(end) {
    if (end.kind === "exit") child.exit(end.code)
    else parent.kill(end.signal)
  }
})

/** The timers of a process end with it. */
const clockUntil = (process: SimChild, clock: Clock): Clock => {
  const armed = new Set<() => void>()
  process.once("exit", () => {
    for (const forget of armed) forget()
  })
  return {
    ...clock,
    arm(ms, label, fire) {
      const forget = clock.arm(ms, label, () => {
        armed.delete(forget)
        fire()
      })
      armed.add(forget)
      return () => {
        armed.delete(forget)
        forget()
      }
    }
  }
}

const noModel: AskModel = (_, sink) => {
  sink.failed("this agent has no model; give it the URL of one as mockUrl")
  return () => {}
}

const noStore: TextStore = { all: () => [], save: () => {}, remove: () => {} }

const storeOf = (texts: Map<string, string>): TextStore => ({
  all: () => [...texts].map(([name, text]) => ({ name, text })).sort((one, other) => (one.name < other.name ? -1 : 1)),
  save: (name, text) => void texts.set(name, text),
  remove: (name) => void texts.delete(name)
})
