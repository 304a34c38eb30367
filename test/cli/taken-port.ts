import { createServer } from "node:net"
import { onTestFinished } from "vitest"

/** A port of this machine that somebody listens on for the rest of the test. */
export const takenPort = (): Promise<number> => {
  const server = createServer()
  onTestFinished(() => void server.close())
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  )
}
