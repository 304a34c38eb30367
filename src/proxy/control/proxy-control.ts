import type { Clock } from "../../kernel/clock.ts"
import type { SocketReport, StreamAddress, StreamPort, StreamSocket } from "../../ports/stream-port.ts"
import { listenError } from "../listen-error.ts"
import type { ControlDesk } from "./control-desk.ts"
import { type ControlPeer, makeControlPeer } from "./control-peer.ts"

/** So many clients are answered at a time. */
export const controlClientsMax = 64

/**
 * The control socket of a proxy, while it is there.
 *
 * @since 0.1.0
 * @category services
 */
export interface ProxyControl {
  /** With the real port. */
  readonly address: StreamAddress
  /** Accepts nobody any more, lets answers leave, closes every connection, and removes the file of the socket. May be called again. */
  stop(): Promise<void>
}

/** @since 0.1.0 @category models */
export interface ProxyControlOptions {
  /** A Unix socket, or a port of loopback. */
  readonly listen: StreamAddress
  readonly desk: ControlDesk
}

/**
 * Lets other programs command a proxy: each sends lines of JSON and gets a line of JSON for each.
 *
 * **Fails** with `PathTooLong`; with `ProxyBindFailed` when it cannot listen
 *
 * @since 0.1.0
 * @category constructors
 */
export const startProxyControl = (
  { streams, clock }: { readonly streams: StreamPort; readonly clock: Clock },
  { listen, desk }: ProxyControlOptions
): Promise<ProxyControl> => {
  const peers = new Set<ControlPeer>()
  let told = (): void => {}
  /** Of those that have ended and wait, which may have been killed, the oldest has to leave. **Gives** whether there was one. */
  const makeRoom = (asking: ControlPeer | null): boolean => {
    const oldest = [...peers].find((peer) => peer !== asking && peer.isWaiting())
    if (oldest === undefined) return false
    peers.delete(oldest)
    oldest.dismiss("the wait was given up: its client had ended, and another one needed the place")
    return true
  }
  const add = (socket: StreamSocket): SocketReport => {
    if (peers.size >= controlClientsMax && !makeRoom(null)) return refused(socket)
    const peer: ControlPeer = makeControlPeer(socket, {
      desk: {
        ...desk,
        wait(begin, signal) {
          if (desk.areWaitsFull()) makeRoom(peer)
          return desk.wait(begin, signal)
        }
      },
      clock,
      gone() {
        peers.delete(peer)
        told()
      }
    })
    peers.add(peer)
    return peer.report
  }
  return new Promise((resolve, reject) => {
    const listener = streams.listen(listen, {
      bound: (address) => resolve({ address, stop: () => (stopping ??= close()) }),
      failed: (problem) => reject(listenError(listen, problem)),
      accepted: (socket) => add(socket),
      // Those who are connected go on; nobody else can be told.
      lost: () => {}
    })
    let stopping: Promise<void> | null = null
    const close = (): Promise<void> =>
      new Promise((closed) => {
        let isUnbound = false
        told = () => {
          if (isUnbound && peers.size === 0) closed()
        }
        listener.close(() => {
          isUnbound = true
          told()
        })
        for (const peer of [...peers]) peer.stop()
      })
  })
}

/** Tells one that there are too many, and closes. */
const refused = (socket: StreamSocket): SocketReport => {
  const error = `${controlClientsMax} clients are connected; close one of them`
  socket.write(new TextEncoder().encode(`${JSON.stringify({ ok: false, error })}\n`), () => socket.destroy())
  return { received: () => {}, ended: () => {}, closed: () => {} }
}
