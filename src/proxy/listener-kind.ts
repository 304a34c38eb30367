import { type ProxyListenerEvent, proxyListenerMachine } from "../../machines/proxy-listener.machine.ts"
import type { SocketReport, StreamAddress, StreamListener, StreamProblem, StreamSocket } from "../ports/stream-port.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind } from "../supervisor/supervisor.ts"
import { cutConnection, type ProxyConnection, startConnection } from "./connection-kind.ts"
import { forgetConnection } from "./plan/link-state.ts"
import type { ProxyRoom } from "./proxy-room.ts"

/** What the performers of a listener work with. */
export interface ListenerData {
  readonly room: ProxyRoom
  readonly address: StreamAddress
  listener: StreamListener | null
  problem: StreamProblem | null
  bound: StreamAddress | null
  arriving: StreamSocket | null
  /** Who hears of the socket that has arrived. */
  report: SocketReport
  readonly open: Set<ProxyConnection>
  readonly told: ListenerTold
}

/** Who hears of a listener. */
export interface ListenerTold {
  bound(address: StreamAddress): void
  failed(problem: StreamProblem): void
  lost(reason: string): void
  stopped(): void
  /** A connection is closed, and is not among those that are open any more. */
  closed(connection: ProxyConnection): void
}

export type ProxyListener = Actor<typeof proxyListenerMachine, ListenerData>

const deaf: SocketReport = { received: () => {}, ended: () => {}, closed: () => {} }

/** The chart of a listener and what performs its actions. */
const listenerKind = actorKind<typeof proxyListenerMachine, ListenerData>(compileChart(proxyListenerMachine), {
  bind: (_, listener) => bind(listener),
  tellBound(_, { data }) {
    if (data.bound === null) return
    data.room.log.record({ type: "listening", address: data.bound })
    data.told.bound(data.bound)
  },
  tellFailed(_, { data }) {
    if (data.problem !== null) data.told.failed(data.problem)
  },
  startConnection(_, listener) {
    const { data } = listener
    if (data.arriving === null) return
    const { connection, report } = startConnection(data.room, {
      id: data.room.counts.accepted + 1,
      socket: data.arriving,
      closed: (gone) => forget(listener, gone)
    })
    data.open.add(connection)
    data.report = report
    data.room.progressed({ type: "accepted" })
  },
  refuseConnection(_, { data }) {
    data.arriving?.destroy()
    data.report = deaf
  },
  tellLost({ reason }, { data }) {
    data.room.log.record({ type: "failed", reason })
    data.told.lost(reason)
  },
  unbind(_, listener) {
    const unbound = (): void => tell(listener, { type: "unbound" })
    if (listener.data.listener === null) unbound()
    else listener.data.listener.close(unbound)
  },
  cutAll(_, listener) {
    for (const connection of listener.data.open) cutConnection(connection, "the proxy stops")
    checkGone(listener)
  },
  tellStopped(_, { data }) {
    data.room.log.record({ type: "stopped" })
    data.told.stopped()
  }
})

const tell = (listener: ProxyListener, event: ProxyListenerEvent): void => {
  if (listener.snapshot.status === "active") listener.data.room.supervisor.deliver(listener, event)
}

const checkGone = (listener: ProxyListener): void => {
  if (listener.data.open.size === 0) tell(listener, { type: "connections.gone" })
}

const forget = (listener: ProxyListener, connection: ProxyConnection): void => {
  const { open, room, told } = listener.data
  open.delete(connection)
  room.changeLink((state) => forgetConnection(state, connection.data.id))
  told.closed(connection)
  checkGone(listener)
}

const bind = (listener: ProxyListener): void => {
  const { data } = listener
  data.listener = data.room.streams.listen(data.address, {
    bound(address) {
      data.bound = address
      tell(listener, { type: "bound" })
    },
    failed(problem) {
      data.problem = problem
      tell(listener, { type: "bind.failed" })
    },
    accepted(socket) {
      data.arriving = socket
      // Where nobody starts a connection, nobody wants it.
      data.report = deaf
      if (listener.snapshot.status === "active") tell(listener, { type: "accepted" })
      else socket.destroy()
      return data.report
    },
    lost: ({ kind, reason }) => tell(listener, { type: "lost", reason: `${kind}, ${reason}` })
  })
}

/** Starts to listen. @since 0.1.0 @category constructors */
export const startListener = (room: ProxyRoom, address: StreamAddress, told: ListenerTold): ProxyListener =>
  room.supervisor.spawn(listenerKind, undefined, {
    room,
    address,
    listener: null,
    problem: null,
    bound: null,
    arriving: null,
    report: deaf,
    open: new Set(),
    told
  })

/** Accepts nobody any more, and cuts what is open. */
export const stopListener = (listener: ProxyListener): void => tell(listener, { type: "stop" })
