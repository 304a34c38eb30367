import { listenerMachine } from "../../machines/listener.machine.ts"
import type { HttpPort, ListenAddress, Listening } from "../ports/http-port.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../supervisor/supervisor.ts"
import type { ServedApp } from "./http-app.ts"

/** What a listener reports to whoever started it; each but `turned` at most once. */
export interface ListenerReport {
  listening(address: ListenAddress): void
  /** Where it matters: somebody tried to connect in vain. */
  refused?(): void
  /** Where it matters: connects are refused from now on, or accepted again. */
  turned?(isAccepting: boolean): void
  failed(reason: string): void
  /** Everything is closed. `forced` says whether responses had to be cut. */
  closed(forced: boolean): void
}

/**
 * One listening port and the connections on it.
 *
 * @since 0.1.0
 * @category serving
 */
export interface Listener {
  /** Stops accepting, lets responses run on for `drainMs`, then ends them. A later call waits for the same end, or with 0 brings it about. */
  close(drainMs: number): void
  /** Refuses connects until `accept`; connections that are idle, or become so, are closed. */
  refuse(): void
  accept(): void
  connections(): number
}

interface ListenerData {
  readonly supervisor: Supervisor
  readonly http: HttpPort
  readonly app: ServedApp
  readonly address: ListenAddress
  readonly report: ListenerReport
  /** Called just before the rest is ended. */
  readonly beforeEnd: () => void
  bound: ListenAddress
  /** The port in use last, and those before it that still have connections. */
  listening: ReadonlyArray<Listening>
  hasListened: boolean
  isForced: boolean
}

type ListenerActor = Actor<typeof listenerMachine, ListenerData>

const kind = actorKind<typeof listenerMachine, ListenerData>(
  compileChart(listenerMachine),
  {
    bind(_, listener) {
      const { http, app, supervisor, bound, listening } = listener.data
      const isCurrent = (): boolean => listener.data.listening[0] === current
      const current = http.listen(bound, app, {
        bound(address) {
          if (!isCurrent()) return
          listener.data.bound = address
          supervisor.deliver(listener, { type: "bound" })
        },
        failed(reason) {
          if (isCurrent()) supervisor.deliver(listener, { type: "bind.failed", reason })
        },
        lost: () => tellDrained(listener),
        refused: () => listener.data.report.refused?.()
      })
      listener.data.listening = [current, ...listening.filter((earlier) => earlier.connections() > 0)]
    },
    announce(_, { snapshot, data }) {
      if (snapshot.value === "closed") data.report.closed(data.isForced)
      else if (snapshot.value === "refusing") data.report.turned?.(false)
      else if (data.hasListened) data.report.turned?.(true)
      else {
        data.hasListened = true
        data.report.listening(data.bound)
      }
    },
    unbind: (_, { data }) => data.listening[0]?.unbind(),
    closeIdle(_, listener) {
      for (const listening of listener.data.listening) listening.closeIdle()
      tellDrained(listener)
    },
    endRest(_, listener) {
      listener.data.isForced = true
      listener.data.beforeEnd()
      // The copies must take their last event before anybody looks whether all is over.
      listener.data.app.endAll(() => tellDrained(listener))
    },
    report: ({ reason }, { data }) => data.report.failed(reason)
  },
  { isGuard: true }
)

/** Draining is over when no connection and no response is left. */
const tellDrained = (listener: ListenerActor): void => {
  const { listening, app, supervisor } = listener.data
  const isEmpty = connectionsOf(listening) === 0 && app.copies().size === 0
  const { value } = listener.snapshot
  if (isEmpty && (value === "draining" || value === "ending")) supervisor.deliver(listener, { type: "drained" })
}

const connectionsOf = (listening: ReadonlyArray<Listening>): number =>
  listening.reduce((sum, port) => sum + port.connections(), 0)

/** Binds a port and serves `app` on it. */
export const startListener = (
  options: Omit<ListenerData, "bound" | "listening" | "hasListened" | "isForced">
): Listener => {
  const { supervisor } = options
  const listener: ListenerActor = supervisor.spawn(kind, undefined, {
    ...options,
    bound: options.address,
    listening: [],
    hasListened: false,
    isForced: false
  })
  supervisor.deliver(listener, { type: "bind.requested" })
  return {
    close(drainMs) {
      if (listener.snapshot.status === "active") supervisor.deliver(listener, { type: "close.requested", drainMs })
    },
    refuse() {
      if (listener.snapshot.status === "active") supervisor.deliver(listener, { type: "refuse.requested" })
    },
    accept() {
      if (listener.snapshot.status === "active") supervisor.deliver(listener, { type: "accept.requested" })
    },
    connections: () => connectionsOf(listener.data.listening)
  }
}
