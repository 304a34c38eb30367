import type { Server } from "node:net"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"

/** An address as `node:net` takes it. */
export const whereOf = (
  address: StreamAddress
): { readonly path: string } | { readonly host: string; readonly port: number } =>
  address.kind === "unix" ? { path: address.path } : { host: address.host, port: address.port }

/** Where a server listens, with the real port. */
export const boundAddress = (server: Server, address: StreamAddress): StreamAddress => {
  const bound = server.address()
  return address.kind === "tcp" && bound !== null && typeof bound === "object"
    ? { ...address, port: bound.port }
    : address
}
