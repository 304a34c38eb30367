import { resolve } from "node:path"
import { MockModelEntry } from "../domain/model-entry.ts"
import type { AgentProfile } from "../harness/profile/agent-profile.ts"
import type { Sandbox } from "../harness/sandbox/sandbox.ts"
import type { Harness } from "../harness.ts"
import { startOptions } from "../inference/scenario-script.ts"
import type { MockInferenceServer, ServerControls } from "../inference/server-api.ts"
import type { AgentAsked } from "./agent-options.ts"
import { type SeenRequests, seeRequests } from "./agent-requests.ts"
import type { AgentTell } from "./agent-tell.ts"
import type { AgentTrace } from "./agent-trace.ts"
import type { ScenarioSession } from "./scenario-session.ts"

/** What an agent is run with. */
export interface AgentRun {
  readonly asked: AgentAsked
  readonly profile: AgentProfile
  readonly scenario: ScenarioSession
  readonly tell: AgentTell
  readonly trace: AgentTrace
}

/** What an agent stands on: a mock that answers it, and a sandbox that is wired to the mock. */
export interface AgentGround {
  readonly harness: Harness
  readonly mock: MockInferenceServer
  readonly requests: SeenRequests
  readonly sandbox: Sandbox
  /** Where the agent runs. */
  readonly cwd: string
}

/**
 * Starts the mock of a run in a harness, and says what it sees.
 *
 * @since 0.1.0
 * @category constructors
 */
export const startGroundMock = async (
  harness: Harness,
  { asked, scenario, trace }: AgentRun
): Promise<Pick<AgentGround, "mock" | "requests">> => {
  const { mode } = scenario.script()
  let server: ServerControls | null = null
  const requests = seeRequests({
    mode,
    statusOf: (number) => server?.requests().find((entry) => entry.number === number)?.answer.status ?? null
  })
  const see: Parameters<ServerControls["watchTrace"]>[0] = (event) => {
    requests.see(event)
    trace.mock(event)
  }
  const mock = await harness.startMock({
    ...startOptions(scenario.script()),
    prepare(controls) {
      server = controls
      for (const event of controls.traceEvents()) see(event)
      controls.watchTrace(see)
      scenario.start(controls)
      // Without a scenario nobody has said which models there are.
      if (asked.model !== undefined && asked.scenario === undefined)
        controls.setModels([MockModelEntry.new(asked.model), ...scenario.script().models])
    }
  })
  return { mock, requests }
}

/**
 * Makes the sandbox of a run.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeGroundSandbox = async (
  harness: Harness,
  { run: { asked, profile, trace }, mock }: { readonly run: AgentRun; readonly mock: MockInferenceServer }
): Promise<Pick<AgentGround, "sandbox" | "cwd">> => {
  const sandbox = await harness.makeSandbox({ profile, mock, git: asked.git, keep: asked.keep })
  sandbox.extend(asked.env)
  const model = profile.acp?.modelSelection
  if (asked.isAcp && asked.model !== undefined && typeof model === "object" && "env" in model)
    sandbox.set(model.env, asked.model)
  trace.hides(sandbox.environment())
  return { sandbox, cwd: asked.cwd === undefined ? sandbox.paths.workspace : resolve(asked.cwd) }
}
