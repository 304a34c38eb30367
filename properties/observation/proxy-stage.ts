import type { Choice } from "../../src/kernel/choice.ts"
import { calmChoice, seededChoice } from "../../src/kernel/choice-sources.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { makeTrace, type Trace } from "../../src/kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { StreamAddress, StreamPort } from "../../src/ports/stream-port.ts"
import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import type { FaultProxyParts } from "../../src/proxy/proxy-options.ts"
import { startFaultProxy } from "../../src/proxy/start-fault-proxy.ts"
import { makeSimFiles } from "../../src/sim/files.ts"
import { makeSimStreams } from "../../src/sim/stream-sockets.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"
import type { WorldScene } from "../arbitraries/proxy-scenes.ts"
import { type WatchedStreams, watchStreams } from "./watched-streams.ts"

/** A simulated machine with a proxy on it. */
export interface ProxyStage {
  readonly clock: VirtualClock
  /** The streams of everybody but the proxy. */
  readonly streams: StreamPort
  readonly proxy: FaultProxy
  readonly proxyStreams: WatchedStreams
  readonly trace: Trace
  /** What there is of the proxy: charts, timers, sockets that are open, a listener, and the file of its socket. */
  leftovers(): ProxyLeftovers
  /** Lets everything happen that will; calls `look` behind each event. */
  settle(look?: () => void): void
  /** Lets so many events happen. */
  run(events: number): void
  /** Lets events happen until a promise has settled. */
  until<A>(promise: Promise<A>): Promise<A>
  /** Lets promises go on. */
  turns(): Promise<void>
}

export interface ProxyLeftovers {
  readonly actors: number
  readonly timers: number
  readonly sockets: number
  readonly path: boolean
}

export const nothingLeft: ProxyLeftovers = { actors: 0, timers: 0, sockets: 0, path: false }

const listenPath = "/run/proxy.sock"

/** Where the upstream of a connection of the proxy listens. */
export const upstreamAddress = (connection: number): StreamAddress => ({
  kind: "unix",
  path: `/run/up-${connection}.sock`
})

/** More events than any scene has. */
const eventsMax = 400_000

const choiceOf = ({ seed }: WorldScene): Choice => (seed === null ? calmChoice : seededChoice(seed))

/** Counts the timers that are armed. */
const countedClock = (clock: Clock): { readonly counted: Clock; readonly armed: () => number } => {
  let armed = 0
  return {
    armed: () => armed,
    counted: {
      ...clock,
      arm(ms, label, fire) {
        let isOver = false
        const over = (): void => {
          if (!isOver) armed -= 1
          isOver = true
        }
        armed += 1
        const forget = clock.arm(ms, label, () => {
          over()
          fire()
        })
        return () => {
          over()
          forget()
        }
      }
    }
  }
}

/** Starts a proxy at `/run/proxy.sock`, or at a port. `accepted` is told of each client. */
export const proxyStage = async (
  world: WorldScene,
  options: Omit<FaultProxyParts, "listen" | "upstream">,
  { accepted = () => {}, choice = choiceOf(world) }: { readonly accepted?: () => void; readonly choice?: Choice } = {}
): Promise<ProxyStage> => {
  const clock = makeVirtualClock(choice)
  const files = makeSimFiles()
  files.makeFolder("/run")
  const { port: streams } = makeSimStreams({ clock, choice, paths: files, windowBytes: world.windowBytes })
  const { counted, armed } = countedClock(clock)
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock: counted, trace })
  const proxyStreams = watchStreams({ streams, clock }, upstreamAddress, accepted)
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 25; turn++) await null
  }
  const settle = (look: () => void = () => {}): void => {
    for (let events = 0; clock.step(); events++) {
      if (events > eventsMax) throw new Error(`${eventsMax} events, and no end`)
      look()
    }
  }
  const starting = startFaultProxy(
    { supervisor, streams: proxyStreams.port, clock: counted },
    { listen: { kind: "unix", path: listenPath }, upstream: upstreamAddress(0), ...options }
  )
  await turns()
  settle()
  const proxy = await starting
  return {
    clock,
    streams,
    proxy,
    proxyStreams,
    trace,
    turns,
    settle,
    run(events) {
      for (let event = 0; event < events && clock.step(); event++);
    },
    async until(promise) {
      let isOver = false
      const over = (): void => {
        isOver = true
      }
      promise.then(over, over)
      do for (let turn = 0; turn < 5; turn++) await null
      while (!isOver && clock.step())
      return promise
    },
    leftovers: () => ({
      actors: supervisor.alive(),
      timers: armed(),
      sockets: proxyStreams.sockets.filter(({ closedAtMs }) => closedAtMs === null).length,
      path: files.kindAt(listenPath) !== "nothing"
    })
  }
}
