import { connect, type Socket } from "node:net"
import { answerQuestions } from "../../shared/child.ts"
import { answerReader, type RightAnswer } from "./answer-reader.ts"
import { type ExchangeKind, requestBytes } from "./exchanges.ts"

/** A load: so many requests over so many connections, each of which sends its next when it has its answer. */
export interface LoadQuestion {
  readonly port: number
  readonly kind: ExchangeKind
  readonly connections: number
  readonly requests: number
  /** Nothing more is asked when so much time is over. */
  readonly secondsMax?: number
  readonly promptBytes?: number
  /** Whether connections are new, and made at once; else they are there before the clock starts. */
  readonly areNew?: boolean
}

export interface LoadAnswer {
  readonly seconds: number
  readonly answered: number
  /** From a request to the first byte of its answer, in milliseconds. */
  readonly firstByteMs: Percentiles
  readonly problem: string | null
}

export interface Percentiles {
  readonly p50: number
  readonly p99: number
}

/** A connection, and who hears what comes. */
interface Line {
  readonly socket: Socket
  hear: (bytes: Buffer) => void
}

/** Into one buffer for each connection, so that nothing is left behind to be collected. */
const reading = (line: () => Line) => {
  const buffer = Buffer.allocUnsafe(65_536)
  return {
    buffer,
    callback(length: number): boolean {
      line().hear(buffer.subarray(0, length))
      return true
    }
  }
}

const load = async ({
  port,
  kind,
  connections,
  requests,
  promptBytes,
  secondsMax = Number.POSITIVE_INFINITY,
  areNew = false
}: LoadQuestion): Promise<LoadAnswer> => {
  const request = requestBytes(kind, promptBytes === undefined ? {} : { promptBytes })
  const right: RightAnswer = { bytes: Buffer.alloc(0) }
  const firstByteMs = new Float64Array(requests)
  const open = (): Line => {
    const line: Line = {
      hear: () => {},
      socket: connect({ port, host: "127.0.0.1", noDelay: true, onread: reading(() => line) })
    }
    return line
  }
  let asked = 0
  let answered = 0
  let start = areNew ? performance.now() : 0
  const isOver = (): boolean => asked === requests || performance.now() - start > secondsMax * 1_000
  const lines = Array.from({ length: Math.min(connections, requests) }, open)
  const problem = await new Promise<string | null>((resolve) => {
    const use = (line: Line): void => {
      const { socket } = line
      const reader = answerReader(kind, right)
      let place = 0
      let sentAt = 0
      let hasBegun = false
      const ask = (): void => {
        if (isOver()) return
        place = asked++
        hasBegun = false
        sentAt = performance.now()
        socket.write(request)
      }
      line.hear = (bytes) => {
        if (!hasBegun) firstByteMs[place] = performance.now() - sentAt
        hasBegun = true
        try {
          if (!reader.take(bytes)) return
        } catch (error) {
          resolve(`answer ${place + 1}: ${error instanceof Error ? error.message : error}`)
          return
        }
        answered++
        ask()
        if (answered === asked && isOver()) resolve(null)
      }
      socket.once("close", () => resolve("a connection was closed"))
      ask()
    }
    for (const line of lines) line.socket.once("error", (error) => resolve(error.message))
    if (areNew) {
      for (const line of lines) line.socket.once("connect", () => use(line))
      return
    }
    void Promise.all(lines.map(({ socket }) => new Promise((connected) => socket.once("connect", connected)))).then(
      () => {
        start = performance.now()
        for (const line of lines) use(line)
      }
    )
  })
  const seconds = (performance.now() - start) / 1_000
  for (const { socket } of lines) socket.removeAllListeners("close").destroy()
  return { seconds, answered, firstByteMs: percentiles(firstByteMs.subarray(0, asked)), problem }
}

const percentiles = (readings: Float64Array): Percentiles => {
  const sorted = readings.toSorted()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

answerQuestions<LoadQuestion, LoadAnswer>(load)
