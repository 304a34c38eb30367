import { createServer, type IncomingMessage, request } from "node:http"
import { Duplex } from "node:stream"

/** A message as Node has read it. */
export interface ParsedMessage {
  /** Method and URL, or the status. */
  readonly start: string
  /** `name: value`, as they came. */
  readonly headers: ReadonlyArray<string>
  readonly body: string
  readonly trailers: ReadonlyArray<string>
  /** Heads of 1xx before it. */
  readonly informed: ReadonlyArray<number>
}

/** A connection on which these bytes come, and then its end. What is written to it goes nowhere. */
const connectionOf = (bytes: Uint8Array): Duplex => {
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  connection.push(bytes)
  connection.push(null)
  return connection
}

const pairs = (flat: ReadonlyArray<string>): ReadonlyArray<string> =>
  flat.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${flat[at + 1]}`] : []))

const read = (message: IncomingMessage, done: (body: string) => void, failed: (error: Error) => void): void => {
  const chunks: Array<Buffer> = []
  message.on("error", failed)
  message.on("close", () => {
    if (!message.complete) failed(new Error("a message is cut off"))
  })
  message.on("data", (chunk: Buffer) => chunks.push(chunk))
  message.on("end", () => done(Buffer.concat(chunks).toString("latin1")))
}

/** What a server of Node makes of the bytes of a connection. **Fails** with what its parser says. */
export const parsedRequests = (bytes: Uint8Array): Promise<ReadonlyArray<ParsedMessage>> =>
  new Promise((resolve, reject) => {
    const found: Array<ParsedMessage> = []
    const server = createServer((message, response) => {
      const { method, url, rawHeaders } = message
      const taken = (body: string): void => {
        const [headers, trailers] = [pairs(rawHeaders), pairs(message.rawTrailers)]
        found.push({ start: `${method} ${url}`, headers, body, trailers, informed: [] })
        response.end()
      }
      read(message, taken, reject)
    })
    server.on("clientError", reject)
    const connection = connectionOf(bytes)
    connection.on("close", () => resolve(found))
    server.emit("connection", connection)
  })

/** What a client of Node that has sent a request of this method makes of the bytes that it is answered. **Fails** in the same way. */
export const parsedResponse = (bytes: Uint8Array, method: string): Promise<ParsedMessage> =>
  new Promise((resolve, reject) => {
    const informed: Array<number> = []
    const asked = request({ method, createConnection: () => connectionOf(bytes) }, (message) => {
      const { statusCode, rawHeaders } = message
      const taken = (body: string): void => {
        const [headers, trailers] = [pairs(rawHeaders), pairs(message.rawTrailers)]
        resolve({ start: `${statusCode}`, headers, body, trailers, informed })
      }
      read(message, taken, reject)
    })
    asked.on("information", ({ statusCode }) => informed.push(statusCode))
    asked.on("error", reject)
    asked.end()
  })
