import { listenerMachine } from "../../machines/listener.machine.ts"
import type { HttpPort, ListenAddress, Listening } from "../ports/http-port.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../supervisor/supervisor.ts"
import type { ServedApp } from "./http-app.ts"

/** What a listener reports to whoever started it; each at most once. */
export interface ListenerReport {
  listening(address: ListenAddress): void
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
  listening: Listening | null
  isForced: boolean
}

type ListenerActor = Actor<typeof listenerMachine, ListenerData>

const kind = actorKind<typeof listenerMachine, ListenerData>(
  compileChart(listenerMachine),
  {
    bind(_, listener) {
      const { http, app, supervisor, bound } = listener.data
      listener.data.listening = http.listen(bound, app, {
        bound(address) {
          listener.data.bound = address
          supervisor.deliver(listener, { type: "bound" })
        },
        failed: (reason) => supervisor.deliver(listener, { type: "bind.failed", reason }),
        lost: () => tellDrained(listener)
      })
    },
    announce(_, { snapshot, data }) {
      if (snapshot.value === "listening") data.report.listening(data.bound)
      else data.report.closed(data.isForced)
    },
    unbind: (_, { data }) => data.listening?.unbind(),
    closeIdle(_, listener) {
      listener.data.listening?.closeIdle()
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
  const isEmpty = (listening?.connections() ?? 0) === 0 && app.copies().size === 0
  const { value } = listener.snapshot
  if (isEmpty && (value === "draining" || value === "ending")) supervisor.deliver(listener, { type: "drained" })
}

/** Binds a port and serves `app` on it. */
export const startListener = (options: Omit<ListenerData, "bound" | "listening" | "isForced">): Listener => {
  const { supervisor } = options
  const listener: ListenerActor = supervisor.spawn(kind, undefined, {
    ...options,
    bound: options.address,
    listening: null,
    isForced: false
  })
  supervisor.deliver(listener, { type: "bind.requested" })
  return {
    close(drainMs) {
      if (listener.snapshot.status === "active") supervisor.deliver(listener, { type: "close.requested", drainMs })
    },
    connections: () => listener.data.listening?.connections() ?? 0
  }
}
