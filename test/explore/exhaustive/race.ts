import type { Outcome } from "../../../src/explore/outcome.ts"
import type { Program } from "../../../src/explore/program.ts"
import { makeSimKernel } from "../../../src/kernel/sim-kernel.ts"
import type { Oracle } from "../../../src/oracles/monitor.ts"
import { requestsSettle } from "../../../src/oracles/requests-settle.ts"
import type { VirtualRequest } from "../../../src/sim.ts"
import { makeJudges } from "./judges.ts"
import { stateKey } from "./state-key.ts"
import { stepKernel } from "./step-kernel.ts"
import { type Attempt, type Line, nameOf, startAttempt } from "./step-lines.ts"
import { type Plant, type StepServer, startStepServer } from "./step-world.ts"
import { makeTurns } from "./turns.ts"

/** A small case: clients that race for what one server was scripted to say. */
export interface Race {
  readonly clients: number
  /** So many of them leave at a moment of their own, each once, unless they have their answer before; default 0. */
  readonly leavers?: number
  /** Who has left asks the same again, at once and on another connection. */
  readonly retries?: boolean
  /** What judges its runs, beside that every request settles. */
  readonly oracle: Oracle
  request(client: string): VirtualRequest
  /** Scripts the server, and gives what the test does later, at a moment of its own. */
  script(server: StepServer): (() => void) | null
  /** What is wrong where a client sees the end of its answer; `null` when nothing is. */
  judgeEnd?(line: Line, world: Told): string | null
  /** What is wrong when nothing is planned any more. */
  judge(world: Told): string | null
}

/** What a race has come to. */
export interface Told {
  readonly server: StepServer
  readonly lines: ReadonlyArray<Line>
  /** The test has done what it does later. */
  readonly hasActed: boolean
}

/** What is told of the runs of a race, beside how they end. */
export interface RaceWatch {
  /** A state was reached. */
  reached(state: string): void
  /** A step led from a state to the next; told where every state is looked at. */
  stepped(from: string, step: string, to: string): void
  /** A run came to its end, in this state as its clients see it. */
  cameTo(outcome: string): void
}

/** The race as a program. With `tellsState` no state is searched twice. */
export const raceProgram =
  (
    race: Race,
    {
      plant,
      tellsState,
      ordersAlike,
      watch
    }: {
      readonly plant: Plant
      readonly tellsState: boolean
      readonly ordersAlike: boolean
      readonly watch: RaceWatch
    }
  ): Program<Outcome> =>
  (choice, context) => {
    const sim = makeSimKernel({ choice, isUntimed: true })
    const kernel = stepKernel(sim)
    const clients = Array.from({ length: race.clients }, (_, index) => `c${index}`)
    const judges = makeJudges([race.oracle, requestsSettle()])
    const server = startStepServer({ kernel, clients, plant, see: judges.see })
    const turns = makeTurns(ordersAlike ? clients.slice(race.leavers ?? 0) : [])
    const lines: Array<Line> = []
    const acts = race.script(server)
    let hasActed = acts === null
    let wrong: string | null = null
    const told = (): Told => ({ server, lines, hasActed })

    const ask = (client: string, attempt: number): Attempt => {
      const request = race.request(client)
      const made = startAttempt({
        kernel,
        app: server.app,
        request,
        client,
        attempt,
        turns,
        watch: {
          arriving: judges.arriving,
          arrived: (line) => judges.arrived(line, String(request.body)),
          ended(line) {
            stay.get(nameOf(line))?.()
            wrong ??= race.judgeEnd?.(line, told()) ?? null
          }
        }
      })
      lines.push(made.line)
      return made
    }
    /** What makes a client stay for good. */
    const stay = new Map<string, () => void>()
    clients.forEach((client, index) => {
      const first = ask(client, 1)
      if (index >= (race.leavers ?? 0)) return
      const retries = race.retries === true
      const touches = retries ? [client] : ["server", client]
      const step = kernel.plan({ label: "leave", actor: client, touches }, () => {
        // Where nothing else comes from the client, what it does not read shows no sooner that it has left.
        first.leave({ isNoticed: !retries })
        if (retries) ask(client, 2)
      })
      stay.set(nameOf(first.line), step.forget)
    })
    if (acts !== null) {
      kernel.plan({ label: "act", actor: "test", touches: ["server", ...clients] }, () => {
        hasActed = true
        acts()
      })
    }

    const key = (): string => {
      const state = stateKey({ kernel, server, lines, hasActed, judges })
      watch.reached(state)
      return state
    }
    if (tellsState) context.stateOf(key)
    let before = tellsState ? "" : key()
    for (let step = sim.step(); step !== null; step = sim.step()) {
      wrong ??= judges.wrong()
      if (wrong !== null) return failed(wrong)
      if (tellsState) continue
      const after = key()
      watch.stepped(before, `${step.label} ${step.actor}`, after)
      before = after
    }
    if (tellsState) key()
    wrong = judges.atEnd() ?? unanswered(lines) ?? race.judge(told())
    watch.cameTo(lines.map(outcomeOf).sort().join("\n"))
    return wrong === null ? { type: "ok" } : failed(wrong)
  }

const failed = (wrong: string): Outcome => ({ type: "failed", signature: wrong, message: wrong })

const outcomeOf = (line: Line): string =>
  `${nameOf(line)}: ${line.hasLeft ? "left after" : line.status} ${JSON.stringify(line.received)}`

/** Everybody who stays has an answer, whole, in the end. */
const unanswered = (lines: ReadonlyArray<Line>): string | null =>
  lines.some(({ hasLeft, hasEnd, finished }) => !hasLeft && !(hasEnd && finished === "end"))
    ? "a client that stayed has no whole answer"
    : null
