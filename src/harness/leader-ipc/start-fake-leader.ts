import { makeBoundedList } from "../../domain/bounded-list.ts"
import { LeaderNotReady, PathTooLong } from "../../domain/harness-scope-errors.ts"
import { recordedBytes } from "../../domain/held-bytes.ts"
import { isRecord } from "../../domain/json.ts"
import { recordBytesMax, recordsMax } from "../../domain/session-limits.ts"
import {
  type SocketReport,
  type StreamAddress,
  type StreamProblem,
  type StreamSocket,
  streamAddressText
} from "../../ports/stream-port.ts"
import { frameDecoder } from "../../wire/frames/length-prefixed.ts"
import type { JsonObject } from "../../wire/json.ts"
import { jsonFrame } from "../../wire/leader/json-frame.ts"
import type { HarnessWorld } from "../harness-world.ts"
import type { FakeLeaderBehaviour, FakeLeaderClient } from "./fake-leaders.ts"
import type { HeardMessage, RunningFakeLeader } from "./running-fake-leader.ts"

/**
 * Starts a fake leader.
 *
 * **Takes** the path of its socket, or another address
 * **Fails** with `PathTooLong`, `LeaderNotReady` where it cannot listen
 * **Source** agent-harness.md, section 5.8
 *
 * @since 0.1.0
 * @category constructors
 */
export const startFakeLeader = (
  { streams }: Pick<HarnessWorld, "streams">,
  asked: string | StreamAddress,
  behaviour: FakeLeaderBehaviour
): Promise<RunningFakeLeader> =>
  new Promise((resolve, reject) => {
    const at: StreamAddress = typeof asked === "string" ? { kind: "unix", path: asked } : asked
    const heard = makeBoundedList<HeardMessage>({ entriesMax: recordsMax, bytesMax: recordBytesMax })
    const open = new Map<FakeLeaderClient, StreamSocket>()
    let accepted = 0
    let isClosed = false
    let closing: Promise<void> | null = null
    let allGone = (): void => {}

    const accept = (socket: StreamSocket): SocketReport => {
      const client = clientOf(++accepted, socket)
      open.set(client, socket)
      if (isClosed) socket.destroy()
      else behaviour.accepted?.(client)
      const decoder = frameDecoder()
      return {
        received(bytes) {
          for (const body of decoder.push(bytes).bodies) {
            const message = messageIn(body)
            heard.push({ client: client.id, message }, recordedBytes(message))
            behaviour.heard?.(client, message)
          }
        },
        ended: client.close,
        closed() {
          open.delete(client)
          if (open.size === 0) allGone()
        }
      }
    }

    const close = (): Promise<void> => {
      isClosed = true
      closing ??= Promise.all([
        new Promise<void>((closed) => listener.close(closed)),
        new Promise<void>((gone) => {
          allGone = gone
          if (open.size === 0) gone()
          for (const socket of open.values()) socket.destroy()
        })
      ]).then(() => {})
      return closing
    }

    const listener = streams.listen(at, {
      bound: (address) =>
        resolve({
          address,
          clients: () => ({ accepted, open: open.size }),
          heard: heard.items,
          say(message) {
            for (const client of open.keys()) client.say(message)
          },
          closeConnections() {
            for (const client of open.keys()) client.close()
          },
          close,
          [Symbol.asyncDispose]: close
        }),
      failed: (problem) => reject(listenError(at, problem)),
      accepted: accept,
      lost: () => {}
    })
  })

const clientOf = (id: number, socket: StreamSocket): FakeLeaderClient => ({
  id,
  say: (message) => socket.write(jsonFrame(message), () => {}),
  write: (bytes) => socket.write(bytes, () => {}),
  close: () => socket.end()
})

const messageIn = (body: Uint8Array): JsonObject => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const listenError = (address: StreamAddress, problem: StreamProblem): Error =>
  problem.kind === "path too long" && address.kind === "unix"
    ? new PathTooLong(address.path, problem)
    : new LeaderNotReady(
        `a fake leader cannot listen at ${streamAddressText(address)}: ${problem.kind}, ${problem.reason}`
      )
