import { redactedOutput } from "../harness/diagnostics/sanitised-output.ts"
import type { AgentProfile } from "../harness/profile/agent-profile.ts"
import type { AgentSession } from "../harness/session/agent-session.ts"
import { liveClock } from "../live/clock.ts"
import { timeoutScale } from "../live/timeout-scale.ts"
import { failureText } from "./agent-failure.ts"
import type { AgentGround, AgentRun } from "./agent-ground.ts"
import { openAgentSession } from "./agent-opening.ts"
import { permissionAnswerer } from "./agent-permissions.ts"
import type { AgentReport } from "./agent-report.ts"
import { type AcpOutcome, lastLines, type TurnResult } from "./agent-result.ts"
import type { AgentStop } from "./agent-stop.ts"
import { type AgentTurns, makeAgentTurns } from "./agent-turns.ts"
import type { PromptLines } from "./prompt-lines.ts"

/** What a session needs besides its agent. */
export interface SessionSurroundings {
  readonly report: AgentReport
  readonly stop: AgentStop
  /** Where prompts and answers come from; `null` where nothing is read. */
  readonly lines: PromptLines | null
}

/** The limit of the one turn of a prompt, where none was given. */
const turnMs = 60_000
/** So many turns are kept for the result, the newest. */
const keptTurnsMax = 1_000

/**
 * Speaks with an agent over ACP: says the one prompt that was asked, or each line that comes. An agent that fails is told of with the
 * ends of both of its streams.
 *
 * @since 0.1.0
 * @category running
 */
export const runAcpAgent = async (run: AgentRun, ground: AgentGround, around: SessionSurroundings): Promise<void> => {
  const { asked, profile, trace } = run
  const { harness, sandbox, cwd } = ground
  const startedAt = liveClock.now()
  const outcome: Outcome = { mode: "acp", sessionId: null, initializeMs: null, sessionMs: null, turns: [] }
  around.report.outcome(outcome)
  const agent = await harness.startAgent({ profile, sandbox, cwd, leadingArgs: asked.agentArgs })
  around.report.started(agent.binary)
  for (const entry of agent.wireLog.entries()) trace.wire(entry)
  agent.wireLog.watch(trace.wire)
  try {
    let initializedAt = startedAt
    const initialized = (): void => {
      initializedAt = liveClock.now()
      outcome.initializeMs = initializedAt - startedAt
    }
    outcome.sessionId = await openAgentSession(agent, { asked, profile, cwd, initialized })
    outcome.sessionMs = liveClock.now() - initializedAt
    await converse(outcome, { run, ground, around, agent })
  } catch (error) {
    if (around.stop.reason() !== null) throw error
    await tellFailure(error, { agent, profile, around, shown: (text) => redactedOutput(text, sandbox.environment()) })
  }
}

type Outcome = { -readonly [Name in keyof AcpOutcome]: AcpOutcome[Name] } & { turns: Array<TurnResult> }

interface Conversation {
  readonly run: AgentRun
  readonly ground: AgentGround
  readonly around: SessionSurroundings
  readonly agent: AgentSession
}

const converse = async (outcome: Outcome, { run, ground, around, agent }: Conversation): Promise<void> => {
  const { asked, tell } = run
  const { report, stop, lines } = around
  const turns = makeAgentTurns({
    agent,
    sessionId: outcome.sessionId ?? "",
    tell,
    answer: permissionAnswerer(asked.permissions, { tell, lines }),
    clock: liveClock,
    scale: timeoutScale,
    requestCount: ground.requests.count
  })
  const say = async (prompt: string, limitMs: number | null): Promise<void> => {
    const { turn, problem, failure } = await turns.say(prompt, limitMs)
    outcome.turns.push(turn)
    if (outcome.turns.length > keptTurnsMax) outcome.turns.shift()
    if (problem !== null) report.problem(problem)
    if (failure !== null) throw failure
  }
  if (asked.prompt !== null) return say(asked.prompt, asked.timeoutMs ?? turnMs)
  stop.onInterrupt(turns.interrupt)
  for (;;) {
    tell.ask("> ")
    const line = await nextLine(lines, turns)
    if (line === null) return tell.ask("\n")
    if (line.trim() !== "") await say(line, asked.timeoutMs ?? null)
  }
}

/** An agent that ends while nobody speaks is heard of at once. */
const nextLine = async (lines: PromptLines | null, turns: AgentTurns): Promise<string | null> =>
  lines === null ? null : Promise.race([lines.next(), turns.gone])

/** Closes the agent first: only then all that it wrote is there. */
const tellFailure = async (
  error: unknown,
  options: {
    readonly agent: AgentSession
    readonly profile: AgentProfile
    readonly around: SessionSurroundings
    readonly shown: (text: string) => string
  }
): Promise<void> => {
  const { agent, profile, around, shown } = options
  // The ends of both streams come below.
  const sentence = failureText(error, profile).sentence.replace(/; the end of its stderr:$/, "")
  const end = await agent.close().catch((second: unknown) => {
    around.report.problem(failureText(second, profile).sentence)
    return null
  })
  const streams = end === null ? null : { stdout: shown(end.stdoutTail), stderr: shown(end.stderrTail) }
  around.report.problem(sentence, streams === null ? [] : lastLines(streams))
}
