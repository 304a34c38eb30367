import { connect, createServer } from "node:net"
import { onTestFinished } from "vitest"

/** Serves an address with what sends back all that it gets, until the test is over. **Gives** its port; 0 for a path */
export const echoAt = (place: string | number): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => {})
      socket.pipe(socket)
      onTestFinished(() => void socket.destroy())
    })
    onTestFinished(() => void server.close())
    server.listen(place, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

/** A client that says a text and ends: what it hears until the other side ends. */
export const askAt = (place: string | number, text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = typeof place === "number" ? connect(place, "127.0.0.1") : connect(place)
    let heard = ""
    socket.setEncoding("utf8")
    socket.on("error", () => {})
    socket.on("data", (piece) => {
      heard += piece
    })
    socket.once("close", () => resolve(heard))
    socket.end(text)
  })

/** A client that stays: its end is told. */
export const stayAt = (place: string): { readonly closed: Promise<void>; readonly opened: Promise<void> } => {
  const socket = connect(place)
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  socket.resume()
  return {
    opened: new Promise((resolve) => socket.once("connect", () => resolve())),
    closed: new Promise((resolve) => socket.once("close", () => resolve()))
  }
}
