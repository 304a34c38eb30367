import { createServer, type Server, connect as tcpConnect } from "node:net"

/** Below the range from which the system takes ports by itself, so that nobody takes it meanwhile. */
const portsFrom = 12_000
const portsCount = 18_000
let tried = process.pid

/** A port that nobody listens on. */
export const freePort = async (host = "127.0.0.1"): Promise<number> => {
  const port = portsFrom + (++tried % portsCount)
  const server = await occupy(port, host)
  if (server === null) return freePort(host)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Listens on a port; `null` when somebody else does. */
export const occupy = (port: number, host = "127.0.0.1"): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(null))
    server.listen({ port, host }, () => resolve(server))
  })

/** What becomes of a connect: `connected`, or the code of the system. */
export const connect = (port: number, host = "127.0.0.1"): Promise<string> =>
  new Promise((resolve) => {
    const socket = tcpConnect({ port, host })
    socket.once("connect", () => {
      socket.destroy()
      resolve("connected")
    })
    socket.once("error", (error) => resolve("code" in error ? String(error.code) : error.message))
  })
