import type { Clock } from "../kernel/clock.ts"
import { makeSimKernel, type ScheduleChoice, type SimKernel } from "../kernel/sim-kernel.ts"
import type { HttpPort } from "../ports/http-port.ts"
import { AwaitMissing, ForeignRun } from "./fence-errors.ts"
import { anyTag, asActor, mainActor, tagFor } from "./fence-run.ts"
import { kernelClock } from "./kernel-clock.ts"
import type { Weather } from "./link-conditions.ts"
import { makePortSpace } from "./link-ports.ts"
import { type RunOutcome, runFenced } from "./run-loop.ts"
import type { RunObserver } from "./run-observer.ts"
import type { Sim, SimOptions } from "./sim.ts"
import { checked, checkedDraw, checkedSleep } from "./sim-checks.ts"
import { simDispatcher } from "./transport-dispatcher.ts"
import { makeSimHttp, type SimHttp } from "./transport-http.ts"
import { makeSimPairs } from "./transport-pairs.ts"
import { makeSimSockets, type SimSockets } from "./transport-sockets.ts"

/** The parts of a world that servers are started on. */
export interface SimParts {
  readonly kernel: SimKernel
  readonly clock: Clock
  readonly http: SimHttp
  readonly sockets: () => SimSockets
  readonly port: HttpPort
  readonly isOver: () => boolean
  /** From now on the network has no faults. */
  readonly stopFaults: () => void
}

/** What a run is told of the campaign that it belongs to. */
export interface SimContext {
  readonly seed: number
  cover(tuple: string): void
  sometimes(goal: string, holds?: boolean): void
  stateOf(state: () => string): void
}

/** A run that is over. */
export interface SimRun<A, O extends RunObserver> {
  readonly outcome: RunOutcome<A>
  readonly kernel: SimKernel
  readonly observer: O
}

/**
 * Runs a program in a simulated world.
 *
 * **Takes** `observe`: who sees the run; `extend`: what makes the world that the program sees of the bare one
 *
 * @since 0.1.0
 * @category simulation
 */
export const runSim = async <O extends RunObserver, W extends Sim, A>(
  options: SimOptions & {
    readonly choice: ScheduleChoice
    readonly context: SimContext
    readonly observe: (kernel: SimKernel) => O
    readonly extend: (sim: Sim, parts: SimParts, observer: O) => W
  },
  body: (sim: W) => A | PromiseLike<A>
): Promise<SimRun<A, O>> => {
  const { choice, context, network = {}, limits, allow, windowMs, isUntimed } = options
  const kernel = makeSimKernel({
    choice,
    ...(windowMs === undefined ? {} : { windowMs }),
    ...(isUntimed === undefined ? {} : { isUntimed })
  })
  const observer = options.observe(kernel)
  const { wire: tap, dials: watch, held } = observer
  const ports = makePortSpace()
  const weather: Weather = { isCalm: false }
  const http = makeSimHttp(kernel, { ...network, ports, weather, watch: observer.clients, tap })
  let sockets: SimSockets | null = null
  const socketsOf = (): SimSockets => {
    sockets ??= makeSimSockets(kernel, { ...network, ports, weather, tap, watch, held })
    return sockets
  }
  const pairs = makeSimPairs(kernel, { ...network, weather, held })
  const hangs: Array<() => ReadonlyArray<string>> = [observer.waiting, () => sockets?.waiting() ?? [], pairs.waiting]
  const closers: Array<() => Promise<void>> = []
  /** What was going on when the program ended. */
  let left: ReadonlyArray<string> = []
  let isOver = false
  const sim: Sim = {
    seed: context.seed,
    now: kernel.now,
    sleep: (ms) =>
      new Promise((resolve) => {
        tagFor("sim.sleep")
        // Whoever kept the world from before has no tag.
        if (isOver) throw new ForeignRun("sim.sleep")
        kernel.plan(checkedSleep(ms), { kind: "timer", label: "sleep", actor: clientName() ?? "test" }, resolve)
      }),
    choice: {
      draw(n, label, calmWeight) {
        checkedDraw(n, label, calmWeight)
        const client = clientName()
        const isNamed = client === null || label.startsWith(`${client}/`)
        return kernel.choice.draw(n, isNamed ? `test/${label}` : `test/${client}/${label}`, calmWeight)
      }
    },
    fetch: (client = defaultClient) => http.fetch(checked.fetch(client)),
    dispatcher: async <Dispatcher>(client = defaultClient) =>
      simDispatcher(http.client(checked.dispatcher(client))) as Dispatcher,
    connector: <Connector>(client = defaultClient) => socketsOf().connector(checked.connector(client)) as Connector,
    ...pairs.pairs,
    as: (client, body) => asActor(checked.asClient(client), checked.asBody(body)),
    note(text) {
      kernel.note(checked.note(text))
      observer.noted(text)
    },
    sometimes: (goal, holds = true) => context.sometimes(checked.sometimes(goal), checked.holds(holds)),
    cover: (tuple) => context.cover(checked.cover(tuple)),
    stateOf(state) {
      checked.stateOf(state)
      kernel.kept.want()
      context.stateOf(() => `${kernel.outlook()} ${state()}`)
    },
    onEnd: (close) => void closers.push(checked.onEnd(close)),
    onHang: (waiting) => void hangs.push(checked.onHang(waiting))
  }
  const parts: SimParts = {
    kernel,
    clock: kernelClock(kernel, "server"),
    http,
    sockets: socketsOf,
    port: http.port,
    isOver: () => isOver,
    stopFaults() {
      weather.isCalm = true
    }
  }
  const world = options.extend(sim, parts, observer)
  /** All of them, also when one fails; the first error counts. */
  const close = async (): Promise<void> => {
    left = observer.goingOn()
    if (left.length === 0) left = sockets?.waiting() ?? []
    observer.programEnded()
    const errors: Array<unknown> = []
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
      try {
        await next()
      } catch (error) {
        errors.push(error)
        observer.noted(`onEnd failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
  const outcome = await runFenced({
    kernel,
    main: () => body(world),
    held,
    close,
    seed: context.seed,
    leftBehind: (error) => new AwaitMissing(error, left),
    waiting: () => hangs.flatMap((waiting) => waiting()),
    ...(limits === undefined ? {} : { limits }),
    ...(allow === undefined ? {} : { allow })
  })
  isOver = true
  observer.over()
  return { outcome, kernel, observer }
}

const defaultClient = "client"

/** The client in whose name the code that asks works; `null` for the test itself. */
const clientName = (): string | null => {
  const tag = anyTag()
  return tag === null || tag.actor === mainActor ? null : tag.actor
}
