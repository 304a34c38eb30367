import { connect } from "node:net"
import { onTestFinished } from "vitest"
import { member } from "../../src/domain/json.ts"
import { requestLine } from "../../src/wire/acp/write-line.ts"
import { encodeFrame, frameDecoder } from "../../src/wire/frames/length-prefixed.ts"

export type LeaderMessage = Readonly<Record<string, unknown>>

/** A client of a leader that says what a test wants, and keeps everything that it hears. */
export interface LeaderTalk {
  /** Everything so far; ACP lines are under `payload` as they came. */
  readonly heard: ReadonlyArray<LeaderMessage>
  send(message: LeaderMessage): void
  register(version?: string): Promise<LeaderMessage>
  /** Sends a request, and gives the response to it. */
  ask(id: number | string, method: string, params?: unknown): Promise<LeaderMessage>
  /** The first message of a type, also one of those that came before. */
  first(type: string): Promise<LeaderMessage>
  /** The first line that holds a text. */
  line(holding: string): Promise<string>
  readonly closed: Promise<void>
}

/** Connects to a socket; waits for one that is not there yet, as long as the test may run. */
export const talkTo = async (path: string): Promise<LeaderTalk> => {
  const socket = await opened(path)
  onTestFinished(() => void socket.destroy())
  const heard: Array<LeaderMessage> = []
  const waits = new Set<() => void>()
  const decoder = frameDecoder()
  socket.on("data", (bytes) => {
    for (const body of decoder.push(bytes).bodies) heard.push(JSON.parse(new TextDecoder().decode(body)))
    for (const look of [...waits]) look()
  })
  socket.on("error", () => {})
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))

  const found = (fits: (message: LeaderMessage) => boolean): Promise<LeaderMessage> =>
    new Promise((resolve) => {
      const look = (): void => {
        const one = heard.find(fits)
        if (one === undefined) return
        waits.delete(look)
        resolve(one)
      }
      waits.add(look)
      look()
    })
  const send = (message: LeaderMessage): void =>
    void socket.write(encodeFrame(new TextEncoder().encode(JSON.stringify(message))))
  const first = (type: string): Promise<LeaderMessage> => found((message) => message["type"] === type)
  const line = async (holding: string): Promise<string> =>
    String((await found((message) => String(message["payload"]).includes(holding)))["payload"])
  return {
    heard,
    send,
    first,
    line,
    closed,
    register(version) {
      const capabilities = version === undefined ? {} : { client_version: version }
      send({ type: "register", client_type: "test", mode: "stdio", capabilities })
      return first("registered")
    },
    async ask(id, method, params = {}) {
      send({ type: "acp", payload: requestLine(id, method, params) })
      return JSON.parse(await line(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},`))
    }
  }
}

const opened = (path: string): Promise<ReturnType<typeof connect>> =>
  new Promise((resolve) => {
    const attempt = (): void => {
      const socket = connect(path)
      socket.once("connect", () => resolve(socket))
      socket.once("error", () => setTimeout(attempt, 10))
    }
    attempt()
  })

/** The id of a session in the result of a response. */
export const sessionOf = (response: LeaderMessage): string => String(member(response["result"], "sessionId"))
