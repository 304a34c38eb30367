import type { Server } from "node:net"

/** The port that a server of this machine listens on; 0 while it does not. */
export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}
