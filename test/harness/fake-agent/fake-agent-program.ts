import { packageVersion } from "../../../src/campaign/package-version.ts"
import type { ExitStatus } from "../../../src/domain/exit-status.ts"
import type { FakeAgentPorts, RunningFakeAgent } from "../../../src/harness/fake-agent/agent-ports.ts"
import { makeFakeAgent } from "../../../src/harness/fake-agent/fake-agent.ts"
import { type HeadlessFormatName, runHeadlessPrompt } from "../../../src/harness/fake-agent/headless-run.ts"
import { calmScript, type FakeAgentScript } from "../../../src/harness/fake-agent/script.ts"
import type { Recording } from "../../../src/harness/recording/recording.ts"
import { makeReplayedAgent } from "../../../src/harness/recording/replayed-agent.ts"
import type { AgentEnd, AskModel, TextStore } from "../../../src/ports/agent-surroundings.ts"
import type { SimScript, SimSelf } from "../../../src/sim/process-script.ts"

/** What a fake agent on a simulated machine is. */
export type FakeAgentProgram = {
  /** How it asks a model. Default: it has none. */
  readonly askModel?: AskModel
  /** Where it keeps its sessions. Default: nowhere that outlives it. */
  readonly store?: TextStore
} & (
  | { readonly script: FakeAgentScript }
  /** The agent of a recorded session. */
  | { readonly recording: Recording }
  /** One prompt, without ACP. */
  | { readonly script: FakeAgentScript; readonly prompt: string; readonly format?: HeadlessFormatName }
)

/**
 * A fake agent as a program of a simulated machine, under the same script as `understudy fake-agent`. It starts no grandchild.
 *
 * @since 0.1.0
 * @category simulation
 */
export const fakeAgentProgram = (agent: FakeAgentProgram): SimScript => {
  const script = "script" in agent ? agent.script : calmScript
  return {
    steps: [{ kind: "run", start: (self) => start(agent, portsOf(agent, self)) }],
    onTerminate: script.ignoreTerm ? "ignore" : "die"
  }
}

const start = (agent: FakeAgentProgram, ports: FakeAgentPorts): RunningFakeAgent => {
  if ("recording" in agent) return makeReplayedAgent(agent.recording, ports)
  if (!("prompt" in agent)) return makeFakeAgent(agent.script, ports)
  const { script, prompt, format = "text" } = agent
  runHeadlessPrompt(script, ports, { prompt, format, cwd: "/" })
  return { received: () => {}, inputEnded: () => {} }
}

const portsOf = ({ askModel = noModel, store = noStore }: FakeAgentProgram, self: SimSelf): FakeAgentPorts => ({
  clock: self.clock,
  version: packageVersion(),
  store,
  askModel,
  write: (bytes) => self.write("stdout", bytes),
  complain: (text) => self.write("stderr", new TextEncoder().encode(text)),
  closeOutput: () => self.closeOutput("stdout"),
  end: (end) => self.end(statusOf(end))
})

const statusOf = (end: AgentEnd): ExitStatus =>
  end.kind === "exit" ? { code: end.code, signal: null } : { code: null, signal: end.signal }

const noModel: AskModel = (_, sink) => {
  sink.failed("there is no model on this machine")
  return () => {}
}

/** A fake agent keeps what it saves in memory anyway. */
const noStore: TextStore = { all: () => [], save: () => {}, remove: () => {} }
