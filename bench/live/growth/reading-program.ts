import { connect, type Socket } from "node:net"
import { answerQuestions } from "../../shared/child.ts"
import { requestBytes } from "../server/exchanges.ts"

/* Clients of streams: many that wait, or one that reads a long one. */

export type ReadingQuestion =
  /** Asks for so many streams; the answer comes when all are asked for. */
  | { readonly port: number; readonly ask: number }
  /** Waits for the ends of those. */
  | { readonly readAll: true }
  /** Asks for one stream, and reads nothing of it for now. */
  | { readonly port: number; readonly waitWith: true }

export interface ReadingAnswer {
  readonly seconds: number
  readonly bytes: number
  readonly events: number
  readonly problem: string | null
}

interface Reading {
  readonly socket: Socket
  readonly counted: { bytes: number; events: number; tail: string }
  readonly ended: Promise<string | null>
}

/** So many connections are made at a time. */
const groupSize = 200

const lastBytes = "0\r\n\r\n"

const begin = async (port: number): Promise<Reading> => {
  const socket = connect({ port, host: "127.0.0.1" })
  const counted = { bytes: 0, events: 0, tail: "" }
  const ended = new Promise<string | null>((resolve) => {
    socket.on("data", (bytes: Buffer) => {
      counted.bytes += bytes.length
      const text = counted.tail.slice(-eventStart.length + 1) + bytes.toString("latin1")
      counted.events += text.split(eventStart).length - 1
      counted.tail = text.slice(-eventStart.length)
      if (text.endsWith(lastBytes)) resolve(null)
    })
    socket.once("error", ({ message }) => resolve(message))
    socket.once("close", () => resolve("it was closed before its end"))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject)
    socket.once("connect", resolve)
  })
  socket.write(requestBytes("stream"))
  return { socket, counted, ended }
}

const eventStart = "data: "

let readings: ReadonlyArray<Reading> = []

const askFor = async (port: number, count: number): Promise<void> => {
  const made: Array<Reading> = []
  while (made.length < count) {
    const group = Array.from({ length: Math.min(groupSize, count - made.length) }, () => begin(port))
    made.push(...(await Promise.all(group)))
  }
  readings = made
}

answerQuestions<ReadingQuestion, ReadingAnswer>(async (question) => {
  const start = performance.now()
  const nothing = { bytes: 0, events: 0, problem: null }
  if ("ask" in question) await askFor(question.port, question.ask)
  else if ("waitWith" in question) {
    const reading = await begin(question.port)
    reading.socket.pause()
    readings = [reading]
  } else {
    for (const { socket } of readings) socket.resume()
    const problems = await Promise.all(readings.map(({ ended }) => ended))
    const seconds = (performance.now() - start) / 1_000
    for (const { socket } of readings) socket.removeAllListeners("close").destroy()
    const sum = (what: "bytes" | "events"): number => readings.reduce((all, { counted }) => all + counted[what], 0)
    const problem = problems.find((one) => one !== null) ?? null
    return { seconds, bytes: sum("bytes"), events: sum("events"), problem }
  }
  return { ...nothing, seconds: (performance.now() - start) / 1_000 }
})
