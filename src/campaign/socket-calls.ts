import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { isRecord, member } from "../domain/json.ts"
import { type CallTag, currentCall } from "./call-context.ts"

/** Whose requests undici writes to sockets. */
export interface SocketCalls {
  /** The call of the request that is being written there, `null` of one of no call; `undefined` where undici said nothing. */
  callOn(socket: object): CallTag | null | undefined
  stop(): void
}

/**
 * A request of undici may wait for a connection until code of another call is done with it. So what it is made for is noted when
 * it is made, and looked up when it is written.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watchSocketCalls = (): SocketCalls => {
  const requests = new WeakMap<object, CallTag | null>()
  const sockets = new WeakMap<object, CallTag | null | undefined>()
  const made = (message: unknown): void => {
    const request = member(message, "request")
    if (isRecord(request)) requests.set(request, currentCall())
  }
  const written = (message: unknown): void => {
    const request = member(message, "request")
    const socket = member(message, "socket")
    if (isRecord(request) && isRecord(socket)) sockets.set(socket, requests.get(request))
  }
  subscribe(madeChannel, made)
  subscribe(writtenChannel, written)
  return {
    callOn: (socket) => sockets.get(socket),
    stop() {
      unsubscribe(madeChannel, made)
      unsubscribe(writtenChannel, written)
    }
  }
}

const madeChannel = "undici:request:create"
const writtenChannel = "undici:client:sendHeaders"
