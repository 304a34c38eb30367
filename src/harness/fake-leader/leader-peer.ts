import {
  type FakeLeaderPeerEvent,
  fakeLeaderPeerMachine,
  type Introduction
} from "../../../machines/fake-leader-peer.machine.ts"
import type { SocketReport, StreamSocket } from "../../ports/stream-port.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import { encodeFrame, frameBodyBytesMax, frameDecoder } from "../../wire/frames/length-prefixed.ts"
import { readClientMessage } from "./client-messages.ts"

/** What a leader does about its clients. Nothing is asked for a client before `admit` and behind `dismiss`. */
export interface PeerDesk {
  admit(peer: LeaderPeer, introduction: Introduction): void
  dismiss(peer: LeaderPeer): void
  route(peer: LeaderPeer, payload: string): void
  control(peer: LeaderPeer, asked: { readonly requestId: string; readonly command: unknown }): void
  /** The connection is gone, whatever it was. */
  closed(peer: LeaderPeer): void
  log(line: string): void
}

/** A connection to a leader. */
export interface LeaderPeer {
  /** From 1, in the order in which they connected. */
  readonly id: number
  send(message: Readonly<Record<string, unknown>>): void
  /** Sends nothing more, and closes behind what was sent. */
  close(): void
}

interface PeerData {
  readonly peer: LeaderPeer
  readonly desk: PeerDesk
  readonly hangUp: () => void
}

type PeerActor = Actor<typeof fakeLeaderPeerMachine, PeerData>

const kind = actorKind<typeof fakeLeaderPeerMachine, PeerData>(compileChart(fakeLeaderPeerMachine), {
  admit: ({ introduction }, { data }) => data.desk.admit(data.peer, introduction),
  dismiss: (_, { data }) => data.desk.dismiss(data.peer),
  route: ({ payload }, { data }) => data.desk.route(data.peer, payload),
  answerControl: (asked, { data }) => data.desk.control(data.peer, asked),
  answerPing: (_, { data }) => data.peer.send({ type: "pong" }),
  refuse: ({ code, message }, { data }) => data.peer.send({ type: "error", code, message }),
  closeSocket: (_, { data }) => data.hangUp()
})

/** A client that does not read so many bytes is given up. */
const unsentBytesMax = 2 * frameBodyBytesMax

/**
 * Serves a connection.
 *
 * **Gives** who hears of the connection
 *
 * @since 0.1.0
 * @category running
 */
export const servePeer = (
  socket: StreamSocket,
  { id, supervisor, desk }: { readonly id: number; readonly supervisor: Supervisor; readonly desk: PeerDesk }
): { readonly peer: LeaderPeer; readonly report: SocketReport } => {
  const decoder = frameDecoder()
  let unsentBytes = 0
  let isHungUp = false

  const peer: LeaderPeer = {
    id,
    send(message) {
      if (isHungUp) return
      const body = utf8.encode(JSON.stringify(message))
      if (body.length > frameBodyBytesMax) {
        desk.log(`a message of ${body.length} bytes is too long for client ${id}`)
        return
      }
      const frame = encodeFrame(body)
      unsentBytes += frame.length
      if (unsentBytes > unsentBytesMax) {
        desk.log(`client ${id} does not read what it is sent`)
        socket.destroy()
      } else {
        socket.write(frame, () => {
          unsentBytes -= frame.length
        })
      }
    },
    close: () => deliver({ type: "leader.closing" })
  }
  const hangUp = (): void => {
    isHungUp = true
    // Behind what was sent; who does not end the connection then is cut off by the end of the process.
    socket.end()
  }
  const actor: PeerActor = supervisor.spawn(kind, undefined, { peer, desk, hangUp })
  const deliver = (event: FakeLeaderPeerEvent): void => {
    if (actor.snapshot.status === "active") supervisor.deliver(actor, event)
  }

  const take = (body: Uint8Array): void => {
    const message = readClientMessage(body)
    if ("problem" in message) desk.log(`client ${id} sent what is no message: ${message.problem}`)
    deliver("problem" in message ? { type: "garbled" } : message)
  }
  return {
    peer,
    report: {
      received(bytes) {
        const { bodies, failure } = decoder.push(bytes)
        for (const body of bodies) take(body)
        if (failure === null) return
        desk.log(`client ${id}: ${failure.message}`)
        deliver({ type: "garbled" })
      },
      ended: () => deliver({ type: "socket.closed" }),
      closed() {
        deliver({ type: "socket.closed" })
        desk.closed(peer)
      }
    }
  }
}

const utf8 = new TextEncoder()
