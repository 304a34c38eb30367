import type { LeaderIpcEnd } from "../../../machines/leader-ipc.machine.ts"
import { makeBoundedList } from "../../domain/bounded-list.ts"
import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { AgentClosed, FrameTooLarge, WaitTimeout } from "../../domain/harness-errors.ts"
import { UnsupportedControl } from "../../domain/harness-scope-errors.ts"
import { recordedBytes } from "../../domain/held-bytes.ts"
import { controlProtocolVersion, leaderAnswerMs, strayMessagesMax } from "../../domain/leader-ipc-limits.ts"
import { unsentBytesMax } from "../../domain/raw-limits.ts"
import { recordBytesMax } from "../../domain/session-limits.ts"
import { type StreamAddress, streamAddressText } from "../../ports/stream-port.ts"
import type { JsonObject } from "../../wire/json.ts"
import { jsonFrame } from "../../wire/leader/json-frame.ts"
import type { LeaderIntroduction, LeaderMessage } from "../../wire/leader/leader-message.ts"
import type { HarnessWorld } from "../harness-world.ts"
import { readLeaderInfo, readRelaunchAnswer } from "./control-answers.ts"
import { makeControlBook } from "./control-book.ts"
import { ipcEndError } from "./ipc-end-error.ts"
import type { DisconnectReason, IpcBound, LeaderConnection, StrayMessage } from "./leader-connection.ts"
import { type IpcActor, startIpc } from "./leader-ipc-actor.ts"
import { makeMessageInbox } from "./message-inbox.ts"

/** Of a world, what a connection to a leader needs. */
export type LeaderIpcWorld = Pick<HarnessWorld, "supervisor" | "streams" | "redact" | "timeoutScale">

/** Where to connect, as whom, and who hears of it: one of `opened` and `failed`, once; `failed` when nothing of it is left. */
export interface ConnectionParts {
  readonly address: StreamAddress
  readonly register: JsonObject
  readonly opened: (connection: LeaderConnection) => void
  readonly failed: (error: Error) => void
}

/** @since 0.1.0 @category constructors */
export const makeConnection = (world: LeaderIpcWorld, parts: ConnectionParts): { disconnect(): Promise<void> } => {
  const { supervisor, timeoutScale } = world
  const { address } = parts
  const shown = (text: string): string => world.redact(text, {})
  const leader = `the leader at ${streamAddressText(address)}`
  const inbox = makeMessageInbox(supervisor)
  const controls = makeControlBook(supervisor, shown)
  const bounds = { entriesMax: strayMessagesMax, bytesMax: recordBytesMax }
  const errors = makeBoundedList<{ readonly code: number; readonly message: string }>(bounds)
  const strays = makeBoundedList<StrayMessage>(bounds)
  let pongs = 0
  let unsentBytes = 0
  let isOpen = false
  let over: { readonly end: LeaderIpcEnd; readonly error: Error } | null = null
  const gone = promised<void>()

  const message = (found: LeaderMessage): void => {
    if (found.kind === "acp") inbox.put(found.payload)
    else if (found.kind === "pong") pongs++
    else if (found.kind === "unknown") strays.push(found, recordedBytes(found))
    else if (found.kind === "control result" && !controls.answer(found.requestId, found.outcome)) {
      const stray = { type: "control_result", message: { request_id: found.requestId } }
      strays.push(stray, recordedBytes(stray))
    }
  }

  const ended = (end: LeaderIpcEnd): void => {
    const error = endError(client, end, { wasOpen: isOpen, shown })
    over = { end, error }
    inbox.end(error)
    controls.end(error)
  }

  const client: IpcActor = startIpc(world, {
    address,
    register: parts.register,
    told: {
      opened() {
        isOpen = true
        const { introduction } = client.data
        if (introduction !== null) parts.opened(connection(introduction))
      },
      message,
      error: ({ code, message: said }) => errors.push({ code, message: said }, recordedBytes(said)),
      ended,
      gone() {
        if (!isOpen && over !== null) parts.failed(over.error)
        gone.resolve()
      }
    }
  })

  const isActive = (): boolean => client.snapshot.status === "active" && client.snapshot.state !== "leaving"
  const overError = (): Error => over?.error ?? new AgentClosed(`the connection to ${leader} was closed here`)
  const scaled = ({ ms = leaderAnswerMs }: IpcBound): number => {
    if (!(ms >= 0 && ms <= delayMsMax)) {
      throw new InvalidOption(`ms of a wait is ${ms}; give milliseconds from 0 to ${delayMsMax}`)
    }
    return Math.min(ms * timeoutScale(), delayMsMax)
  }

  const post = (body: JsonObject): Promise<void> =>
    new Promise((resolve, reject) => {
      const { socket } = client.data
      if (!isActive() || socket === null) throw overError()
      const frame = jsonFrame(body)
      const length = unsentBytes + frame.byteLength
      if (length > unsentBytesMax) {
        throw new FrameTooLarge(`what ${leader} was not sent yet`, { limit: unsentBytesMax, length })
      }
      unsentBytes = length
      socket.write(frame, (problem) => {
        unsentBytes -= frame.byteLength
        if (problem === null) resolve()
        else reject(over?.error ?? new AgentClosed(`${leader} takes nothing any more (${problem})`))
      })
    })

  const disconnect = (): Promise<void> => {
    if (isActive()) supervisor.deliver(client, { type: "disconnect" })
    return gone.promise
  }

  const connection = (introduction: LeaderIntroduction): LeaderConnection => {
    const { clientId, protocolVersion, binaryVersion, capabilities } = introduction
    const can = (capability: string): boolean => capabilities[capability] === true
    const control: LeaderConnection["control"] = async (command, bound = {}) => {
      const lack = whyUncontrolled(introduction)
      if (lack !== null) throw new UnsupportedControl(`${leader} takes no commands: ${lack}`)
      const ms = scaled(bound)
      if (!isActive()) throw overError()
      return controls.open({
        what: String(command["type"] ?? "a command"),
        ms,
        send: (requestId) => void quiet(post({ type: "control", request_id: requestId, command }))
      })
    }
    return {
      clientId,
      protocolVersion,
      binaryVersion,
      capabilities,
      can,
      send: (payload) => quiet(post({ type: "acp", payload })),
      receive: (bound = {}) => quiet(received(bound)),
      unreceived: () => ({ waiting: inbox.size(), dropped: inbox.dropped() }),
      control: (command, bound) => quiet(control(command, bound)),
      getLeaderInfo: (bound) =>
        quiet(control({ type: "get_leader_info" }, bound).then((payload) => readLeaderInfo(payload, shown))),
      relaunchForUpdate: (toVersion, bound) =>
        quiet(
          control({ type: "relaunch_for_update", to_version: toVersion }, bound).then((payload) =>
            readRelaunchAnswer(payload, shown)
          )
        ),
      ping: () => quiet(post({ type: "ping" })),
      pongs: () => pongs,
      disconnectReason: () => (over === null ? null : reasonOf(over.end)),
      failure: () => (over?.end === "broken" ? over.error : null),
      shuttingDown: () => client.data.leaving,
      errors: errors.items,
      strays: strays.items,
      closed: () => gone.promise.then(() => reasonOf(over?.end ?? "lost")),
      disconnect,
      [Symbol.asyncDispose]: disconnect
    }
  }

  const received = async (bound: IpcBound): Promise<string> => {
    const ms = scaled(bound)
    return inbox.take(ms, () => new WaitTimeout(`a message of ${leader}`, { ms }))
  }

  return { disconnect }
}

/** Why a leader takes no commands; `null` where it does. */
const whyUncontrolled = ({ protocolVersion, capabilities }: LeaderIntroduction): string | null => {
  if (protocolVersion !== controlProtocolVersion) {
    return `it speaks version ${protocolVersion ?? "none"} of the protocol, and commands are known of version ${controlProtocolVersion}`
  }
  return capabilities["control_v1"] === true ? null : "it does not offer control_v1"
}

const reasonOf = (end: LeaderIpcEnd): DisconnectReason =>
  end === "shutdown" ? "leaderShutdown" : end === "disconnected" ? "clientInitiated" : "connectionLost"

/** What nobody looks at any more is no crash; whoever awaits it gets the error all the same. */
const quiet = <A>(promise: Promise<A>): Promise<A> => {
  promise.catch(() => {})
  return promise
}

const endError = (
  { data }: IpcActor,
  end: LeaderIpcEnd,
  { wasOpen, shown }: { readonly wasOpen: boolean; readonly shown: (text: string) => string }
): Error =>
  ipcEndError(end, {
    address: data.address,
    wasOpen,
    shown,
    problem: data.problem,
    first: data.first,
    broken: data.broken,
    leaving: data.leaving?.reason ?? null,
    heldBytes: data.decoder.heldBytes(),
    code: data.code
  })

const promised = <A>(): { readonly promise: Promise<A>; readonly resolve: (value: A) => void } => {
  let resolve: (value: A) => void = () => {}
  const promise = new Promise<A>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
