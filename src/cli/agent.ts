import { InvalidOption } from "../domain/errors.ts"
import { ProfileInvalid } from "../domain/harness-errors.ts"
import { fakeApiKey } from "../harness/environment/mock-wiring.ts"
import { type Harness, startHarness } from "../harness.ts"
import type { MockInferenceServer } from "../inference/server-api.ts"
import { runAcpAgent } from "./agent-acp.ts"
import { failureText } from "./agent-failure.ts"
import { type AgentGround, type AgentRun, makeGroundSandbox, startGroundMock } from "./agent-ground.ts"
import { runHeadlessAgent } from "./agent-headless.ts"
import type { AgentAsked } from "./agent-options.ts"
import { agentParent } from "./agent-parent.ts"
import { profileFor } from "./agent-profile.ts"
import { type AgentReport, makeAgentReport } from "./agent-report.ts"
import type { SeenRequests } from "./agent-requests.ts"
import { resultRecord, summaryLines } from "./agent-result.ts"
import { type AgentStop, heedAgentSignals, stopCode } from "./agent-stop.ts"
import { makeAgentTell } from "./agent-tell.ts"
import { openAgentTrace } from "./agent-trace.ts"
import { refuse } from "./command.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { type PromptLines, readPromptLines } from "./prompt-lines.ts"
import { makeRedaction, type Redaction } from "./redaction.ts"
import { openScenario } from "./scenario-session.ts"
import { leftoversOf, leftoverText } from "./serve-leftovers.ts"

/**
 * Runs an agent against a mock of its own, and gives the exit code. What can be wrong with options, profile, scenario and trace file is
 * found before anything is started.
 *
 * @since 0.1.0
 * @category running
 */
export const agent = async (asked: AgentAsked, io: CommandIo): Promise<number> => {
  const redaction = makeRedaction()
  const closers: Array<() => void> = []
  const input = await openInput(asked, io)
  const tell = makeAgentTell(io, { isJson: asked.isJson, isTyped: input?.isTyped ?? false })
  const lines =
    input === null ? null : readPromptLines(input.stream, () => tell.problem("a line was too long, and is dropped"))
  if (lines !== null) closers.push(lines.close)
  try {
    const profile = await profileFor(asked, { parent: agentParent(io) })
    const scenario = await openScenario(asked.scenario, {})
    const { token } = scenario.script()
    if (token !== null) redaction.add(token)
    const trace = openAgentTrace(asked.trace, {
      profile: profile.id,
      mode: asked.isAcp ? "acp" : "headless",
      redaction,
      failed: (reason) => tell.problem(`${reason}; the run goes on without a trace`)
    })
    closers.push(trace.close)
    if (needsInput(asked) && lines === null)
      throw new RunFailed("standard input cannot be read here; give --prompt TEXT")
    const run: AgentRun = { asked, profile, scenario, tell, trace }
    return await runToTheEnd(run, { io, lines, redaction })
  } catch (error) {
    if (error instanceof ProfileInvalid || error instanceof InvalidOption)
      return refuse(io, "understudy agent", [error.message])
    if (!(error instanceof RunFailed)) throw error
    tell.problem(error.message, error.details)
    return exitCodes.failed
  } finally {
    for (const close of closers.reverse()) close()
  }
}

const needsInput = ({ isAcp, prompt, permissions }: AgentAsked): boolean =>
  isAcp && (prompt === null || permissions === "ask")

const openInput = async (asked: AgentAsked, io: CommandIo) => {
  const stream = needsInput(asked) ? await io.stdin() : null
  return stream === null ? null : { stream, isTyped: "isTTY" in stream && stream.isTTY === true }
}

interface Surroundings {
  readonly io: CommandIo
  readonly lines: PromptLines | null
  readonly redaction: Redaction
}

/** What was started so far; the rest is there when it is. */
interface Started {
  mock: MockInferenceServer | null
  requests: SeenRequests | null
  sandbox: string | null
}

/** However it ends, nothing of the agent is left, and no sandbox unless it was to be kept. */
const runToTheEnd = async (run: AgentRun, { io, lines, redaction }: Surroundings): Promise<number> => {
  const { tell, trace, asked, profile } = run
  const report = makeAgentReport(tell)
  const stop = heedAgentSignals(io)
  const harness = await startHarness({
    variables: definedIn(agentParent(io).variables),
    timing: false,
    tell: tell.line,
    heedsSignals: false,
    ...(process.platform === "win32" ? {} : { watchdog: true })
  })
  harness.watchTransitions(trace.step)
  const started: Started = { mock: null, requests: null, sandbox: null }
  const failed = (error: unknown): void => {
    // What was cut short by the stop is no failure of its own.
    if (stop.reason() !== null) return
    const { sentence, details } = failureText(error, profile)
    report.problem(sentence, details)
  }
  const work = carryOut(run, { harness, report, stop, lines, started }).catch(failed)
  await Promise.race([work, stop.stopped])
  lines?.close()
  await harness.close().catch((error: unknown) => {
    const { sentence, details } = failureText(error, profile)
    report.problem(sentence, details)
  })
  await work
  stop.over()
  tellRest(run, { report, redaction, started })
  const stopped = stop.reason()
  if (stopped !== null) tell.problem(stop.text(stopped))
  const result = { profile: profile.id, ...report.known(), stopped, sandbox: asked.keep ? started.sandbox : null }
  if (started.requests !== null) for (const line of summaryLines(result, started.requests)) tell.note(line)
  tell.result(resultRecord(result, started.requests))
  if (stopped !== null) return stopCode(stopped)
  // The last words may be all that there was to print.
  await stop.printed()
  if (stop.reason() === "unwritable") {
    tell.problem(stop.text("unwritable"))
    return exitCodes.failed
  }
  return result.problems.length === 0 ? exitCodes.ok : exitCodes.failed
}

const definedIn = (variables: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variables).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))

const carryOut = async (
  run: AgentRun,
  parts: {
    readonly harness: Harness
    readonly report: AgentReport
    readonly stop: AgentStop
    readonly lines: PromptLines | null
    readonly started: Started
  }
): Promise<void> => {
  const { asked, scenario, tell } = run
  const { harness, report, stop, lines, started } = parts
  const { token } = scenario.script()
  if (token !== null && token !== fakeApiKey)
    tell.note(`the scenario wants another key than agents have (${fakeApiKey}): what it has no answer for is refused`)
  const { mock, requests } = await startGroundMock(harness, run)
  Object.assign(started, { mock, requests })
  const { sandbox, cwd } = await makeGroundSandbox(harness, { run, mock })
  started.sandbox = sandbox.paths.root
  const ground: AgentGround = { harness, mock, requests, sandbox, cwd }
  if (asked.isAcp) await runAcpAgent(run, ground, { report, stop, lines })
  else await runHeadlessAgent(run, ground, { prompt: asked.prompt ?? "", report })
}

/** A strict scenario has to be used up. */
const tellRest = (
  { scenario }: AgentRun,
  {
    report,
    redaction,
    started
  }: { readonly report: AgentReport; readonly redaction: Redaction; readonly started: Started }
): void => {
  if (started.mock === null || !scenario.script().isStrict) return
  const leftovers = leftoversOf(started.mock, redaction)
  if (leftovers.count > 0) report.problem(...leftoverText(leftovers))
}
