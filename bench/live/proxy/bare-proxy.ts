import { makeLiveStreams } from "../../../src/live/stream-sockets.ts"
import type { SocketReport, StreamAddress, StreamSocket } from "../../../src/ports/stream-port.ts"

/** A proxy of our own sockets that knows of no frames: what ours can cost at least. */
export const startBareProxy = (listen: StreamAddress, upstream: StreamAddress): Promise<StreamAddress> =>
  new Promise((resolve, reject) => {
    const streams = makeLiveStreams()
    const fail = ({ reason }: { readonly reason: string }): void => reject(new Error(reason))
    streams.listen(listen, {
      bound: resolve,
      failed: fail,
      lost: fail,
      accepted(client) {
        client.pause()
        let there: StreamSocket | null = null
        streams.connect(upstream, {
          opened(socket) {
            there = socket
            client.resume()
            return passOn(socket, () => client)
          },
          failed: () => client.destroy()
        })
        return passOn(client, () => there)
      }
    })
  })

/** Hands what comes from one socket to another, which may not be there yet. */
const passOn = (from: StreamSocket, to: () => StreamSocket | null): SocketReport => ({
  received(bytes) {
    const other = to()
    if (other === null) return
    const hasLeft = other.write(bytes, (problem) => {
      if (problem === null && !hasLeft) from.resume()
    })
    if (!hasLeft) from.pause()
  },
  ended: () => to()?.end(),
  closed: () => to()?.destroy()
})
