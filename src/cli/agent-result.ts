import { clip } from "../domain/clip.ts"
import { visibleText } from "../report/visible-text.ts"
import { requestTable, type SeenRequests } from "./agent-requests.ts"

/** A permission that the agent asked for, and what it was answered. */
export interface AskedPermission {
  readonly asked: string
  readonly answer: string
}

/** One turn of a session over ACP. */
export interface TurnResult {
  readonly prompt: string
  /** Whether the turn came to its end: stop reason `end_turn`. */
  readonly ok: boolean
  readonly text: string
  /** `null` when there was none. */
  readonly stopReason: string | null
  readonly ms: number
  /** What the agent did, as it was told: one line each. */
  readonly notes: ReadonlyArray<string>
  readonly permissions: ReadonlyArray<AskedPermission>
  readonly requests: number
}

/** What came of a headless run. */
export interface HeadlessOutcome {
  readonly mode: "headless"
  /** `null` where the output holds none. */
  readonly answer: string | null
  readonly sessionId: string | null
  /** The event that ends a good run, where the format has one. */
  readonly terminal: unknown
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly elapsedMs: number
}

/** What came of a session over ACP. */
export interface AcpOutcome {
  readonly mode: "acp"
  readonly sessionId: string | null
  /** From the start of the process to the answer to `initialize`, and on to the session; `null` when it did not come so far. */
  readonly initializeMs: number | null
  readonly sessionMs: number | null
  readonly turns: ReadonlyArray<TurnResult>
}

/** What a run came to. */
export interface AgentResult {
  readonly profile: string
  /** Where the program of the agent was found, and by what; `null` when it was not started. */
  readonly binary: { readonly path: string; readonly because: string } | null
  readonly outcome: HeadlessOutcome | AcpOutcome | null
  /** What was wrong, one sentence each. */
  readonly problems: ReadonlyArray<string>
  /** The signal that ended it, `unread` when nobody reads stdout, or `unwritable` when it cannot be written. */
  readonly stopped: string | null
  /** The folder of the sandbox, where it was kept. */
  readonly sandbox: string | null
}

/**
 * The record of `--json`.
 *
 * @since 0.1.0
 * @category encoding
 */
export const resultRecord = (result: AgentResult, requests: SeenRequests | null) => {
  const { outcome, problems, ...rest } = result
  const seen = requests?.rows() ?? { requests: [], dropped: 0 }
  return {
    type: "agent",
    ok: problems.length === 0 && result.stopped === null,
    ...rest,
    problems,
    ...outcome,
    requests: seen.requests,
    requestsDropped: seen.dropped
  }
}

/**
 * How long it took, and what the mock saw, as lines for people; none of an agent that was not started.
 *
 * @since 0.1.0
 * @category encoding
 */
export const summaryLines = (
  { outcome, binary }: Pick<AgentResult, "outcome" | "binary">,
  requests: SeenRequests
): ReadonlyArray<string> => {
  if (binary === null) return []
  const program = `${binary.path} (${binary.because})`
  const took = outcome === null ? "" : timing(outcome)
  return ["", program, ...(took === "" ? [] : [took]), ...requestTable(requests.rows())]
}

const timing = (outcome: HeadlessOutcome | AcpOutcome): string => {
  if (outcome.mode === "headless") {
    const { exitCode, signal, elapsedMs } = outcome
    return `${signal === null ? `exit code ${exitCode}` : `signal ${signal}`} after ${Math.round(elapsedMs)} ms`
  }
  const { initializeMs, sessionMs, turns } = outcome
  const steps = [
    ...(initializeMs === null ? [] : [`initialize ${Math.round(initializeMs)} ms`]),
    ...(sessionMs === null ? [] : [`session ${Math.round(sessionMs)} ms`]),
    ...(turns.length > shownTurnsMax ? [`${turns.length} turns`] : turns.map(({ ms }) => `turn ${Math.round(ms)} ms`))
  ]
  return steps.join(", ")
}

const shownTurnsMax = 5

/** So many of the last lines of a stream are shown of an agent that failed, each of at most so many characters. */
const lastLinesMax = 20
const lineLengthMax = 400

/**
 * The last lines of both streams of an agent, under a line that says which.
 *
 * **Takes** what was written, with what is secret in it replaced
 *
 * @since 0.1.0
 * @category encoding
 */
export const lastLines = (streams: { readonly stdout: string; readonly stderr: string }): ReadonlyArray<string> =>
  (["stdout", "stderr"] as const).flatMap((name) => {
    const text = streams[name].trimEnd()
    if (text === "") return [`its ${name} was empty`]
    const lines = text.split("\n")
    const shown = lines.slice(-lastLinesMax).map((line) => `  ${clip(visibleText(line), lineLengthMax)}`)
    return [`the end of its ${name}:`, ...shown]
  })
