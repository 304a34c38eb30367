import { member } from "../../../src/domain/json.ts"
import type { JsonObject, ProfileAcp } from "../../../src/harness/profile/agent-profile.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import type { AgentSession } from "../../../src/harness/session/agent-session.ts"
import { makeSession } from "../../../src/harness/session/make-session.ts"
import type { SessionBehaviour } from "../../../src/harness/session/session-behaviour.ts"
import type { Choice } from "../../../src/kernel/choice.ts"
import { calmChoice } from "../../../src/kernel/choice-sources.ts"
import { makeTrace, type Trace } from "../../../src/kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "../../../src/kernel/virtual-clock.ts"
import { makeSimAgent, type SimAgent, type SimAgentProgram, type SimAgentSide } from "../../../src/sim/sim-agent.ts"
import { makeSupervisor, type Supervisor } from "../../../src/supervisor/supervisor.ts"

/** A session with a simulated agent, in virtual time. */
export interface SimSession {
  readonly session: AgentSession
  readonly agent: SimAgent
  readonly clock: VirtualClock
  readonly trace: Trace
  readonly supervisor: Supervisor
  /** Lines that were said about durations. */
  readonly told: ReadonlyArray<string>
  /** Lines that the agent has read, in order. */
  readonly heard: ReadonlyArray<string>
  /** How often what the session has was given back. */
  releases(): number
  /** Lets time pass until this settles. Fails when nothing is left to happen. */
  until<A>(promise: Promise<A>): Promise<A>
  /** Lets everything happen that is due within so many milliseconds. */
  pass(ms: number): Promise<void>
}

export interface SimSessionOptions extends SessionBehaviour {
  /** What it does besides answering; by default the end of its input ends it with code 0. */
  readonly program?: (side: LineSide) => SimAgentProgram
  readonly choice?: Choice
  readonly acp?: JsonObject
  readonly scale?: number
  readonly bytesMax?: number
  readonly release?: () => Promise<void>
  readonly capabilities?: JsonObject
  readonly shown?: (text: string) => string
}

/** What an agent does with a message; `say` writes a message. */
export type SimAnswer = (message: Readonly<Record<string, unknown>>, side: LineSide) => void

/** A side that writes lines. */
export interface LineSide extends SimAgentSide {
  say(...messages: ReadonlyArray<unknown>): void
  result(message: unknown, result: unknown): void
}

export const acpOf = (acp: JsonObject = {}): ProfileAcp => {
  const profile = readProfile({
    id: "sim",
    binary: { command: "sim" },
    acp: { args: [], ...acp },
    sandbox: { stateDir: ".sim" }
  })
  if (profile.acp === null) throw new Error("the profile speaks no ACP")
  return profile.acp
}

export const startSimSession = (
  answer: SimAnswer,
  {
    program = () => ({}),
    choice = calmChoice,
    acp,
    scale = 1,
    bytesMax,
    release,
    capabilities,
    shown = (text) => text,
    ...behaviour
  }: SimSessionOptions = {}
): SimSession => {
  const clock = makeVirtualClock(choice)
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const told: Array<string> = []
  const heard: Array<string> = []
  let releases = 0
  const simAgent = makeSimAgent({ clock, choice }, (bare) => {
    const side = lineSide(bare)
    return {
      received(text) {
        for (const line of text.split("\n").slice(0, -1)) {
          heard.push(line)
          answer(JSON.parse(line), side)
        }
      },
      inputEnded: () => side.exit({ code: 0, signal: null }),
      ...program(side)
    }
  })
  const session = makeSession(
    { supervisor, clock, timeoutScale: () => scale, tell: (line) => told.push(line) },
    {
      process: simAgent,
      acp: acpOf(acp),
      shown,
      release: async () => {
        releases++
        await release?.()
      },
      ...(capabilities === undefined ? {} : { capabilities }),
      ...behaviour
    },
    bytesMax === undefined ? {} : { bytesMax }
  )
  return {
    session,
    agent: simAgent,
    clock,
    trace,
    supervisor,
    told,
    heard,
    releases: () => releases,
    async until(promise) {
      let isOver = false
      const end = (): void => {
        isOver = true
      }
      promise.then(end, end)
      await promises()
      while (!isOver) {
        if (!clock.step()) throw new Error("nothing is left to happen, and it has not settled")
        await promises()
      }
      return promise
    },
    async pass(ms) {
      const end = clock.now() + ms
      await promises()
      while (clock.nextDue() <= end) {
        clock.step()
        await promises()
      }
      clock.advance(end - clock.now())
      await promises()
    }
  }
}

/** Lets promises have their turn; no time is involved. */
const promises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const lineSide = (side: SimAgentSide): LineSide => {
  const say = (...messages: ReadonlyArray<unknown>): void =>
    side.write(
      messages
        .map((message) =>
          typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...Object(message) })
        )
        .map((line) => `${line}\n`)
        .join("")
    )
  return { ...side, say, result: (message, result) => say({ id: member(message, "id"), result }) }
}

export const chunk = (text: string, sessionId = "s1"): unknown => ({
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } }
})
