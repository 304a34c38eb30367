import type { AnswerSource, TraceEvent } from "../../../src/domain/trace-event.ts"
import type { Oracle } from "../../../src/oracles/monitor.ts"
import type { RunEvent, SeenEvent } from "../../../src/oracles/run-event.ts"
import { type Line, nameOf } from "./step-lines.ts"

/** Oracles over a race. They know requests and copies by the tries that they belong to, and not by when they came. */
export interface Judges {
  see(event: TraceEvent): void
  /** The rest of the request of a try is about to reach the server, and has; `identity` is what makes it the same call as others. */
  arriving(line: Line): void
  arrived(line: Line, identity: string): void
  /** What was found first. */
  wrong(): string | null
  /** The same when nothing happens any more: all that still waits is wrong. */
  atEnd(): string | null
  /** What the actor with this id is, in every order. */
  roleOf(actor: number): number
  /** What a copy answers from: whether it is the primary of a call is known nowhere else. */
  sourceOf(actor: number): AnswerSource | null
  readonly states: ReadonlyArray<unknown>
}

/** Numbers for expectations, in order of registration, and for tries. */
const expectationsFrom = 1_000
const codeOf = ({ client, attempt }: Line): number => 10 * Number(client.slice(1)) + attempt

export const makeJudges = (oracles: ReadonlyArray<Oracle>): Judges => {
  const states = oracles.map((oracle) => oracle.init())
  const tries = new Map<number, number>()
  const roles = new Map<number, number>()
  const sources = new Map<number, AnswerSource>()
  let current: Line | null = null
  let request = 0
  let expectations = 0
  let found: string | null = null

  const tell = (event: SeenEvent): void => {
    oracles.forEach((oracle, index) => {
      states[index] = oracle.on(event, states[index])
      const wrong = oracle.fail?.(states[index])
      if (wrong !== undefined) found ??= typeof wrong === "string" ? wrong : wrong.shape
    })
  }
  const renamed = (event: TraceEvent): TraceEvent => {
    const named = "request" in event ? { ...event, request: tries.get(event.request) ?? event.request } : event
    return "actor" in named ? { ...named, actor: roles.get(named.actor) ?? named.actor } : named
  }
  return {
    see(event) {
      if (event.type === "request" && current !== null) {
        request = event.request
        tries.set(event.request, codeOf(current))
      }
      if (event.type === "decision") {
        roles.set(event.actor, tries.get(event.request) ?? event.request)
        sources.set(event.actor, event.source)
      }
      if (event.type === "expectation") roles.set(event.actor, expectationsFrom + ++expectations)
      tell(renamed(event))
    },
    arriving(line) {
      current = line
      request = 0
    },
    arrived(line, identity) {
      current = null
      const arrival: RunEvent = {
        type: "attempt.arrived",
        actor: line.client,
        call: nameOf(line),
        attempt: line.attempt,
        request: tries.get(request) ?? 0,
        fingerprint: identity,
        at: 0
      }
      tell(arrival)
    },
    wrong: () => found,
    atEnd() {
      const [hot] = oracles.flatMap((oracle, index) => oracle.hot?.(states[index]) ?? [])
      return found ?? hot?.what ?? null
    },
    sourceOf: (actor) => sources.get(actor) ?? null,
    roleOf: (actor) => roles.get(actor) ?? actor,
    states
  }
}
