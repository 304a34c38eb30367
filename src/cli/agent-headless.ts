import { redactedOutput } from "../harness/diagnostics/sanitised-output.ts"
import type { HeadlessResult } from "../harness/headless/headless-result.ts"
import { readHeadlessOutput } from "../harness/profile/headless-answer.ts"
import { headlessArguments } from "../harness/profile/program-arguments.ts"
import { liveClock } from "../live/clock.ts"
import type { AgentGround, AgentRun } from "./agent-ground.ts"
import type { AgentReport } from "./agent-report.ts"
import type { HeadlessOutcome } from "./agent-result.ts"
import { lastLines } from "./agent-result.ts"

/**
 * Runs one prompt to its end, and tells what the agent printed.
 *
 * @since 0.1.0
 * @category running
 */
export const runHeadlessAgent = async (
  run: AgentRun,
  ground: AgentGround,
  { prompt, report }: { readonly prompt: string; readonly report: AgentReport }
): Promise<void> => {
  const { asked, profile, trace, tell } = run
  const { harness, sandbox, cwd } = ground
  const { args, format } = headlessArguments(profile, {
    prompt,
    cwd,
    ...(asked.format === undefined ? {} : { format: asked.format }),
    ...(asked.model === undefined ? {} : { model: asked.model })
  })
  const result = await harness.runHeadless({
    profile,
    sandbox,
    cwd,
    args: [...args, ...asked.agentArgs],
    ...(asked.timeoutMs === undefined ? {} : { capMs: asked.timeoutMs })
  })
  for (const stream of ["stdout", "stderr"] as const) trace.output(stream, result[stream], liveClock.now())
  const said = readHeadlessOutput(result.stdout, format)
  const { exitCode, signal, timedOut, elapsedMs } = result
  const outcome: HeadlessOutcome = { mode: "headless", ...said, exitCode, signal, timedOut, elapsedMs }
  report.started(result.binary)
  report.outcome(outcome)
  const problem = problemOf(outcome, { name: profile.displayName, capMs: result.capMs })
  if (asked.format !== undefined) tell.words(result.stdout)
  else if (problem === null) tell.words(`${said.answer ?? ""}\n`)
  if (problem === null) return
  const variables = sandbox.environment()
  const shown = (text: string): string => redactedOutput(text, variables)
  report.problem(problem, lastLines({ stdout: shown(result.stdout), stderr: shown(result.stderr) }))
}

/** What was not as it should be; `null` when all was. */
const problemOf = (
  { timedOut, signal, exitCode, answer }: HeadlessOutcome,
  { name, capMs }: { readonly name: string } & Pick<HeadlessResult, "capMs">
): string | null => {
  if (timedOut) return `${name} was killed, for it had not ended after ${capMs} ms; --timeout gives another limit`
  if (signal !== null) return `${name} was ended by ${signal}`
  if (exitCode !== 0) return `${name} ended with exit code ${exitCode}`
  return answer === null || answer.trim() === "" ? `${name} ended with exit code 0, and printed no answer` : null
}
