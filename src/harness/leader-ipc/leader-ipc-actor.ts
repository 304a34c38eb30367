import {
  type LeaderIpcEnd,
  type LeaderIpcEvent,
  leaderIpcMachine,
  type PassedMessage
} from "../../../machines/leader-ipc.machine.ts"
import type { FrameTooLarge } from "../../domain/harness-errors.ts"
import type { SocketReport, StreamAddress, StreamPort, StreamProblem, StreamSocket } from "../../ports/stream-port.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import { type FrameDecoder, frameDecoder } from "../../wire/frames/length-prefixed.ts"
import type { JsonObject } from "../../wire/json.ts"
import { jsonFrame } from "../../wire/leader/json-frame.ts"
import {
  type BrokenMessage,
  type LeaderIntroduction,
  type LeaderLeaving,
  type LeaderMessage,
  readLeaderMessage
} from "../../wire/leader/leader-message.ts"

/** What the performers of a connection to a leader work with. */
export interface IpcData {
  readonly supervisor: Supervisor
  readonly streams: StreamPort
  readonly address: StreamAddress
  readonly register: JsonObject
  readonly decoder: FrameDecoder
  readonly told: IpcTold
  giveUpConnect: () => void
  /** Why the last connect failed. */
  problem: StreamProblem | null
  socket: StreamSocket | null
  /** Whether the socket is gone, or there never was one. */
  isGone: boolean
  code: string | null
  first: LeaderMessage | null
  introduction: LeaderIntroduction | null
  leaving: LeaderLeaving | null
  broken: BrokenMessage | FrameTooLarge | null
}

/** Who hears of a connection. */
export interface IpcTold {
  opened(): void
  message(message: LeaderMessage): void
  /** The leader told an error. */
  error(error: { readonly code: number; readonly message: string }): void
  /** Nothing comes any more. */
  ended(end: LeaderIpcEnd): void
  /** And nothing of it is open. */
  gone(): void
}

export type IpcActor = Actor<typeof leaderIpcMachine, IpcData>

/** The chart of a connection to a leader and what performs its actions. @since 0.1.0 @category services */
export const leaderIpcKind = actorKind<typeof leaderIpcMachine, IpcData>(compileChart(leaderIpcMachine), {
  connect: (_, client) => connect(client),
  giveUpConnect(_, { data }) {
    data.giveUpConnect()
    data.problem = null
  },
  sendRegister: (_, { data }) => write(data, data.register),
  sendPing: (_, { data }) => write(data, { type: "ping" }),
  sendFarewell(_, client) {
    const left = (): void => tell(client, { type: "farewell.left" })
    write(client.data, { type: "disconnect" }, left)
  },
  tellOpen: (_, { data }) => data.told.opened(),
  take: ({ message }, { data }) => {
    if (isLeaderMessage(message)) data.told.message(message)
  },
  endSocket: (_, { data }) => data.socket?.destroy(),
  tellEnded(_, { data, snapshot }) {
    data.told.ended(snapshot.context.end ?? "lost")
    if (data.socket === null || data.isGone) data.told.gone()
  }
})

/** The chart passes a message on as it got it. */
const isLeaderMessage = (message: PassedMessage): message is LeaderMessage =>
  ["acp", "control result", "pong", "unknown"].includes(message.kind)

const write = (data: IpcData, message: JsonObject, left: () => void = () => {}): void =>
  void data.socket?.write(jsonFrame(message), left)

/** What still comes when it is over is of no interest. */
const tell = (client: IpcActor, event: LeaderIpcEvent): void => {
  if (client.snapshot.status === "active") client.data.supervisor.deliver(client, event)
}

const connect = (client: IpcActor): void => {
  const { data } = client
  data.problem = null
  data.giveUpConnect = data.streams.connect(data.address, {
    opened(socket) {
      data.socket = socket
      tell(client, { type: "connected" })
      return reportOf(client)
    },
    failed(problem) {
      data.problem = problem
      // No other attempt can do better.
      tell(client, { type: "connect.failed", isFinal: isHopeless(problem) })
    }
  })
}

const isHopeless = ({ kind, code }: StreamProblem): boolean =>
  kind === "path too long" || (kind === "not allowed" && code === null)

const reportOf = (client: IpcActor): SocketReport => {
  const { data } = client
  return {
    received: (bytes) => data.supervisor.run(() => receive(client, bytes)),
    ended: () => tell(client, { type: "lost" }),
    closed(problem) {
      data.isGone = true
      data.code = problem
      tell(client, { type: "lost" })
      // Where it had ended before, it has been said already.
      if (client.snapshot.status !== "active") data.told.gone()
    }
  }
}

/** Delivers what a piece of the stream completed. Behind what is broken nothing is read. */
const receive = (client: IpcActor, bytes: Uint8Array): void => {
  const { data } = client
  const { bodies, failure } = data.decoder.push(bytes)
  for (const body of bodies) {
    const message = readLeaderMessage(body)
    if (message.kind === "broken") {
      data.broken = message
      break
    }
    data.first ??= message
    tell(client, eventOf(data, message))
  }
  data.broken ??= failure
  if (data.broken !== null) tell(client, { type: "broken" })
}

const eventOf = (data: IpcData, message: LeaderMessage): LeaderIpcEvent => {
  switch (message.kind) {
    case "registered":
      data.introduction ??= message.introduction
      return { type: "registered", isReady: message.introduction.isReady }
    case "ready":
      return { type: "ready" }
    case "error":
      data.told.error(message)
      return { type: "refused" }
    case "shutting down":
      data.leaving = message.leaving
      return { type: "shutting.down", reason: message.leaving.reason }
    case "shutdown":
      return { type: "shutdown" }
    default:
      return { type: "message", message }
  }
}

/** Starts to connect to a leader. @since 0.1.0 @category constructors */
export const startIpc = (
  world: { readonly supervisor: Supervisor; readonly streams: StreamPort },
  parts: { readonly address: StreamAddress; readonly register: JsonObject; readonly told: IpcTold }
): IpcActor =>
  world.supervisor.spawn(leaderIpcKind, undefined, {
    supervisor: world.supervisor,
    streams: world.streams,
    ...parts,
    decoder: frameDecoder(),
    giveUpConnect: () => {},
    problem: null,
    socket: null,
    isGone: false,
    code: null,
    first: null,
    introduction: null,
    leaving: null,
    broken: null
  })
