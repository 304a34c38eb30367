import type { Clock } from "../../src/kernel/clock.ts"
import { makeTrace, type Trace } from "../../src/kernel/trace.ts"
import type { SocketReport, StreamAddress, StreamPort } from "../../src/ports/stream-port.ts"
import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import { type Direction, directions } from "../../src/proxy/plan/fault-program.ts"
import type { FaultProxyParts } from "../../src/proxy/proxy-options.ts"
import { startFaultProxy } from "../../src/proxy/start-fault-proxy.ts"
import { makeSupervisor, type Supervisor } from "../../src/supervisor/supervisor.ts"
import { encodeFrame } from "../../src/wire/frames/length-prefixed.ts"
import { connect, listen, right, type StreamWorld, type WatchedSocket } from "../ports/stream-world.ts"

export type Kind = "unix" | "tcp"

/** A client and what the proxy has connected for it. */
export interface Through {
  readonly client: WatchedSocket
  readonly upstream: WatchedSocket
}

/** A world with a proxy in it, and somebody behind the proxy. */
export interface ProxyRun {
  readonly world: StreamWorld
  readonly supervisor: Supervisor
  readonly trace: Trace
  readonly proxy: FaultProxy
  /** Where somebody listens behind it. */
  readonly served: StreamAddress
  /** The most bytes that a direction of a connection had kept, whenever something had come to the proxy. */
  readonly mostBuffered: Readonly<Record<Direction, number>>
  /** Timers of the proxy that are armed. */
  timers(): number
  /** The next end that somebody has connected to behind the proxy. */
  accepted(): Promise<WatchedSocket>
  /** Connects through the proxy, and waits until somebody has been connected to behind it. */
  through(): Promise<Through>
  /** A connection behind which everything is sent back as it comes. */
  echoed(): Promise<WatchedSocket>
}

export interface RunOptions extends Omit<FaultProxyParts, "listen" | "upstream"> {
  readonly kind?: Kind
  readonly upstreamKind?: Kind
  /** Whether the ends behind the proxy read nothing at first. */
  readonly isUpstreamPaused?: boolean
}

/** A place where nobody listens. */
export const addressOf = (world: StreamWorld, kind: Kind): StreamAddress =>
  kind === "unix" ? { kind, path: world.freshPath() } : { kind, host: "127.0.0.1", port: 0 }

/** A clock that tells how many of its timers are armed. */
const countedClock = (clock: Clock): { readonly clock: Clock; readonly armed: () => number } => {
  const armed = new Set<object>()
  return {
    armed: () => armed.size,
    clock: {
      ...clock,
      arm(ms, label, fire) {
        const timer = {}
        armed.add(timer)
        const forget = clock.arm(ms, label, () => {
          armed.delete(timer)
          fire()
        })
        return () => {
          armed.delete(timer)
          forget()
        }
      }
    }
  }
}

/** Streams that call `look` whenever bytes were taken. */
const watchedStreams = (streams: StreamPort, look: () => void): StreamPort => {
  const looking = (report: SocketReport): SocketReport => ({
    ...report,
    received(bytes) {
      report.received(bytes)
      look()
    }
  })
  return {
    ...streams,
    listen: (address, report) =>
      streams.listen(address, { ...report, accepted: (socket) => looking(report.accepted(socket)) }),
    connect: (address, report) =>
      streams.connect(address, { ...report, opened: (socket) => looking(report.opened(socket)) })
  }
}

/** A supervisor of a world, and the trace of its steps. */
export const supervisorOf = ({ clock }: Pick<StreamWorld, "clock">) => {
  const trace = makeTrace(clock)
  return { trace, supervisor: makeSupervisor({ clock, trace }) }
}

/** Starts a proxy in front of a listener. */
export const proxyRun = async (
  world: StreamWorld,
  { kind = "unix", upstreamKind = kind, isUpstreamPaused = false, ...options }: RunOptions = {}
): Promise<ProxyRun> => {
  const { streams, settled } = world
  const { clock, armed } = countedClock(world.clock)
  const { supervisor, trace } = supervisorOf({ clock })
  const mostBuffered = { clientToLeader: 0, leaderToClient: 0 }
  const look = (): void => {
    for (const connection of proxy.connections())
      for (const direction of directions)
        mostBuffered[direction] = Math.max(mostBuffered[direction], connection[direction].buffered)
  }
  const served = right(await settled(listen(streams, addressOf(world, upstreamKind), { isPaused: isUpstreamPaused })))
  const proxy = await settled(
    startFaultProxy(
      { supervisor, streams: watchedStreams(streams, look), clock },
      { listen: addressOf(world, kind), upstream: served.address, ...options }
    )
  )
  const through = async (): Promise<Through> => {
    const client = right(await settled(connect(streams, proxy.address)))
    return { client, upstream: await settled(served.accepted()) }
  }
  return {
    world,
    supervisor,
    trace,
    proxy,
    served: served.address,
    mostBuffered,
    timers: armed,
    accepted: served.accepted,
    through,
    async echoed() {
      const { client, upstream } = await through()
      upstream.heard((bytes) => upstream.socket.write(bytes, () => {}))
      void upstream.ended.then(() => upstream.socket.end())
      return client
    }
  }
}

export const frame = (text: string | Uint8Array): Uint8Array =>
  encodeFrame(typeof text === "string" ? new TextEncoder().encode(text) : text)

/** The frames of these texts, as what comes of a socket says them. */
export const frames = (...texts: ReadonlyArray<string>): string => Buffer.concat(texts.map(frame)).toString()

/** Nothing more comes of a socket: the other side has ended, or it was reset. */
export const over = (socket: WatchedSocket): Promise<unknown> => Promise.race([socket.ended, socket.closed])
