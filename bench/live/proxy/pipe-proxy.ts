import { connect, createServer } from "node:net"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { boundAddress, whereOf } from "./socket-place.ts"

/** The plainest proxy that Node can be: both ways a pipe. */
export const startPipeProxy = (listen: StreamAddress, upstream: StreamAddress): Promise<StreamAddress> =>
  new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      const there = connect({ ...whereOf(upstream), allowHalfOpen: true, noDelay: true })
      client.on("error", () => there.destroy())
      there.on("error", () => client.destroy())
      client.pipe(there)
      there.pipe(client)
    })
    server.listen(whereOf(listen), () => resolve(boundAddress(server, listen)))
  })
