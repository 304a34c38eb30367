import { type ProxyConnectionEvent, proxyConnectionMachine } from "../../machines/proxy-connection.machine.ts"
import type { SocketReport, StreamSocket } from "../ports/stream-port.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind } from "../supervisor/supervisor.ts"
import { type ConnectionRecording, recordConnection } from "./connection-recording.ts"
import { type Direction, directions } from "./plan/fault-program.ts"
import { vanish } from "./plan/link-state.ts"
import type { ProxyRoom } from "./proxy-room.ts"
import type { ProxyPump } from "./pump-data.ts"
import { pumpEnded, pumpReceived, severPump, startPump, wakePump } from "./pump-kind.ts"

/** One of the two ends of a connection. */
interface End {
  socket: StreamSocket | null
  isGone: boolean
}

/** What the performers of a connection work with. */
export interface ConnectionData {
  readonly room: ProxyRoom
  readonly id: number
  readonly client: End
  readonly upstream: End
  giveUpConnect: () => void
  pumps: Readonly<Record<Direction, ProxyPump>> | null
  /** What the client had sent before there was anybody to send it to. */
  early: Array<Uint8Array>
  clientHasEnded: boolean
  wasCut: boolean
  recording: ConnectionRecording | null
  /** Nothing of it is open. */
  readonly closed: (connection: ProxyConnection) => void
}

export type ProxyConnection = Actor<typeof proxyConnectionMachine, ConnectionData>

/** The chart of a connection and what performs its actions. */
const connectionKind = actorKind<typeof proxyConnectionMachine, ConnectionData>(compileChart(proxyConnectionMachine), {
  connect: (_, connection) => connect(connection),
  giveUpConnect: (_, { data }) => data.giveUpConnect(),
  startPumps: (_, connection) => startPumps(connection),
  severPumps: (_, { data }) => eachPump(data, severPump),
  destroySockets: (_, connection) => {
    for (const { socket } of endsOf(connection.data)) socket?.destroy()
    checkGone(connection)
  },
  resetSockets: (_, connection) => {
    for (const { socket } of endsOf(connection.data)) socket?.reset()
    checkGone(connection)
  },
  tellRefused({ reason }, { data }) {
    data.room.counts.upstreamRefused += 1
    data.room.log.record({ type: "refused", connection: data.id, reason })
  },
  tellCut({ reason }, { data }) {
    data.wasCut = true
    data.room.counts.severed += 1
    data.room.log.record({ type: "severed", connection: data.id, reason })
  },
  tellClosed(_, connection) {
    const { data } = connection
    data.room.counts.closed += 1
    data.room.log.record({ type: "closed", connection: data.id })
    data.early = []
    data.recording?.closed()
    data.closed(connection)
  }
})

const endsOf = ({ client, upstream }: ConnectionData): ReadonlyArray<End> => [client, upstream]

const eachPump = ({ pumps }: ConnectionData, act: (pump: ProxyPump) => void): void => {
  if (pumps !== null) for (const direction of directions) act(pumps[direction])
}

/** What still comes when it is over is of no interest. */
const tell = (connection: ProxyConnection, event: ProxyConnectionEvent): void => {
  if (connection.snapshot.status === "active") connection.data.room.supervisor.deliver(connection, event)
}

const checkGone = (connection: ProxyConnection): void => {
  const { client, upstream } = connection.data
  const isGone = ({ socket, isGone: gone }: End): boolean => socket === null || gone
  if (isGone(client) && isGone(upstream)) tell(connection, { type: "sockets.gone" })
}

const connect = (connection: ProxyConnection): void => {
  const { data } = connection
  data.giveUpConnect = data.room.streams.connect(data.room.upstream, {
    opened(socket) {
      data.upstream.socket = socket
      tell(connection, { type: "connected" })
      return reportOf(connection, data.upstream, "leaderToClient")
    },
    failed: ({ kind, reason }) => tell(connection, { type: "connect.failed", reason: `${kind}, ${reason}` })
  })
}

const reportOf = (connection: ProxyConnection, end: End, direction: Direction): SocketReport => {
  const { data } = connection
  return {
    received(bytes) {
      if (data.pumps !== null) pumpReceived(data.pumps[direction], bytes)
      else if (direction === "clientToLeader") data.early.push(bytes)
    },
    ended() {
      if (data.pumps !== null) pumpEnded(data.pumps[direction])
      else data.clientHasEnded = true
    },
    closed(problem) {
      end.isGone = true
      tell(connection, { type: "socket.closed", problem })
      if (connection.snapshot.state !== "connecting") checkGone(connection)
    }
  }
}

const startPumps = (connection: ProxyConnection): void => {
  const { room, id, client, upstream, early, clientHasEnded } = connection.data
  const { socket: near } = client
  const { socket: far } = upstream
  if (near === null || far === null) return
  room.log.record({ type: "connected", connection: id })
  const lanes = {
    clientToLeader: room.plan.lane({ direction: "clientToLeader", connection: id }),
    leaderToClient: room.plan.lane({ direction: "leaderToClient", connection: id })
  }
  const mayChangeLength = (direction: Direction): boolean => lanes[direction].mayChangeLength()
  const readers = room.framing.open({
    woken(direction) {
      if (connection.data.pumps !== null) wakePump(connection.data.pumps[direction])
    },
    mayChangeLength
  })
  const { recorder } = room
  connection.data.recording =
    recorder === null
      ? null
      : recordConnection({
          recorder,
          connection: id,
          readers: room.framing.open({ mayChangeLength, limitBytes: Number.POSITIVE_INFINITY }),
          now: room.log.now
        })
  const told = {
    ended: () => tell(connection, { type: "pump.ended" }),
    cut: (reason: string) => tell(connection, { type: "cut", reason }),
    reset: (reason: string) => tell(connection, { type: "reset", reason }),
    vanished: () => vanishConnection(connection)
  }
  const parts = { connection: id, told, recording: connection.data.recording }
  far.pause()
  connection.data.pumps = {
    clientToLeader: startPump(room, {
      ...parts,
      direction: "clientToLeader",
      source: near,
      destination: far,
      reader: readers.clientToLeader,
      lane: lanes.clientToLeader,
      early,
      hasEnded: clientHasEnded
    }),
    leaderToClient: startPump(room, {
      ...parts,
      direction: "leaderToClient",
      source: far,
      destination: near,
      reader: readers.leaderToClient,
      lane: lanes.leaderToClient,
      early: [],
      hasEnded: false
    })
  }
  connection.data.early = []
}

/** A client has come. **Gives** who hears of its socket. @since 0.1.0 @category constructors */
export const startConnection = (
  room: ProxyRoom,
  parts: Pick<ConnectionData, "id" | "closed"> & { readonly socket: StreamSocket }
): { readonly connection: ProxyConnection; readonly report: SocketReport } => {
  const { socket, ...rest } = parts
  socket.pause()
  room.counts.accepted += 1
  room.log.record({ type: "accepted", connection: parts.id })
  const client: End = { socket, isGone: false }
  const connection: ProxyConnection = room.supervisor.spawn(connectionKind, undefined, {
    ...rest,
    room,
    client,
    upstream: { socket: null, isGone: false },
    giveUpConnect: () => {},
    pumps: null,
    early: [],
    clientHasEnded: false,
    wasCut: false,
    recording: null
  })
  return { connection, report: reportOf(connection, client, "clientToLeader") }
}

/** Whether it is connecting or piping. */
export const isActive = ({ snapshot }: ProxyConnection): boolean =>
  snapshot.state === "connecting" || snapshot.state === "piping"

/** Closes it hard; what it was about to write is lost. */
export const cutConnection = (connection: ProxyConnection, reason: string): void => {
  tell(connection, { type: "cut", reason })
}

/** From now on nothing goes through it, and nothing is closed. */
export const vanishConnection = (connection: ProxyConnection): void => {
  const { room, id } = connection.data
  tell(connection, { type: "vanished" })
  room.changeLink((state) => vanish(state, id))
}
