import type { Clock } from "../kernel/clock.ts"
import { makeSimKernel, type ScheduleChoice, type SimKernel } from "../kernel/sim-kernel.ts"
import type { HttpPort } from "../ports/http-port.ts"
import { asActor } from "./fence-run.ts"
import { kernelClock } from "./kernel-clock.ts"
import { type RunOutcome, runFenced } from "./run-loop.ts"
import type { Sim, SimOptions } from "./sim.ts"
import { makeSimHttp, type SimHttp } from "./transport-http.ts"
import { makeSimSockets, type SimSockets } from "./transport-sockets.ts"

/** The parts of a world that servers are started on. */
export interface SimParts {
  readonly kernel: SimKernel
  readonly clock: Clock
  readonly http: SimHttp
  readonly sockets: () => SimSockets
  readonly port: HttpPort
}

/** What a run is told of the campaign that it belongs to. */
export interface SimContext {
  readonly seed: number
  cover(tuple: string): void
  sometimes(goal: string, holds?: boolean): void
}

/** A run that is over. */
export interface SimRun<A> {
  readonly outcome: RunOutcome<A>
  readonly kernel: SimKernel
  readonly notes: ReadonlyArray<{ readonly at: number; readonly text: string }>
}

/** So many notes are kept of a run. */
const notesMax = 10_000

/**
 * Runs a program in a simulated world.
 *
 * **Takes** `extend`: what makes the world that the program sees of the bare one
 *
 * @since 0.1.0
 * @category simulation
 */
export const runSim = async <W extends Sim, A>(
  options: SimOptions & {
    readonly choice: ScheduleChoice
    readonly context: SimContext
    readonly extend: (sim: Sim, parts: SimParts) => W
  },
  body: (sim: W) => A | PromiseLike<A>
): Promise<SimRun<A>> => {
  const { choice, context, network = {}, limits, allow, windowMs, isUntimed } = options
  const kernel = makeSimKernel({
    choice,
    ...(windowMs === undefined ? {} : { windowMs }),
    ...(isUntimed === undefined ? {} : { isUntimed })
  })
  const http = makeSimHttp(kernel, network)
  let sockets: SimSockets | null = null
  const socketsOf = (): SimSockets => {
    sockets ??= makeSimSockets(kernel, network)
    return sockets
  }
  const notes: Array<{ readonly at: number; readonly text: string }> = []
  const closers: Array<() => Promise<void>> = []
  const sim: Sim = {
    seed: context.seed,
    now: kernel.now,
    sleep: (ms) =>
      new Promise((resolve) => {
        kernel.plan(ms, { kind: "timer", label: "sleep", actor: "test" }, resolve)
      }),
    choice: { draw: (n, label) => kernel.choice.draw(n, `test/${label}`) },
    fetch: (client = defaultClient) => http.fetch(client),
    async dispatcher<Dispatcher>(client = defaultClient) {
      const { simDispatcher } = await import("./transport-dispatcher.ts")
      return simDispatcher(http.client(client)) as Dispatcher
    },
    connector: <Connector>(client = defaultClient) => socketsOf().connector(client) as Connector,
    as: asActor,
    note(text) {
      kernel.note(text)
      if (notes.length < notesMax) notes.push({ at: kernel.now(), text })
    },
    sometimes: context.sometimes,
    cover: context.cover,
    onEnd: (close) => void closers.push(close)
  }
  const parts: SimParts = { kernel, clock: kernelClock(kernel, "server"), http, sockets: socketsOf, port: http.port }
  const world = options.extend(sim, parts)
  const main = async (): Promise<A> => {
    try {
      return await body(world)
    } finally {
      for (const close of closers.reverse()) await close()
    }
  }
  const outcome = await runFenced({
    kernel,
    main,
    seed: context.seed,
    ...(limits === undefined ? {} : { limits }),
    ...(allow === undefined ? {} : { allow })
  })
  return { outcome, kernel, notes }
}

const defaultClient = "client"
