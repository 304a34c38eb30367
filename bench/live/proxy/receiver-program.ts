import { connect, type Socket } from "node:net"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { answerQuestions } from "../../shared/child.ts"
import { checkBlocks } from "./check-blocks.ts"
import { frameBlocks } from "./frame-blocks.ts"
import { whereOf } from "./socket-place.ts"

export type ReceiverQuestion =
  /** Receives until the end, and checks every byte. */
  | { readonly receive: StreamAddress; readonly bodyBytes: number }
  /** Connects and reads nothing. */
  | { readonly ignore: StreamAddress; readonly bodyBytes: number }
  /** Reads what it has ignored. */
  | { readonly goOn: true }
  /** Sends a frame, waits until it has come back, and so on. */
  | { readonly echo: StreamAddress; readonly bodyBytes: number; readonly times: number }

export interface ReceiverAnswer {
  readonly bytes: number
  /** From the first byte to the last. */
  readonly seconds: number
  /** Where the first byte was that was wrong. */
  readonly wrongAt: number | null
}

interface Receiving {
  readonly socket: Socket
  readonly done: Promise<ReceiverAnswer>
}

/** Bytes that are read at once. */
const bufferBytes = 262_144

const receive = (address: StreamAddress, bodyBytes: number): Receiving => {
  const check = checkBlocks(bodyBytes)
  let began: number | null = null
  const socket = connect({
    ...whereOf(address),
    noDelay: true,
    onread: {
      // One buffer for all: who receives is to cost as little as possible.
      buffer: Buffer.allocUnsafeSlow(bufferBytes),
      callback(bytes, buffer) {
        began ??= performance.now()
        check.take(buffer.subarray(0, bytes))
        return true
      }
    }
  })
  const done = new Promise<ReceiverAnswer>((resolve, reject) => {
    socket.once("error", reject)
    socket.once("end", () => {
      const seconds = (performance.now() - (began ?? 0)) / 1_000
      socket.end()
      resolve({ bytes: check.bytes(), seconds, wrongAt: check.wrongAt() })
    })
  })
  return { socket, done }
}

const echo = (address: StreamAddress, bodyBytes: number, times: number): Promise<ReceiverAnswer> => {
  const blocks = frameBlocks(bodyBytes)
  const frame = blocks.make().subarray(0, blocks.frameBytes)
  let wrongAt: number | null = null
  let done = 0
  let at = 0
  let began = 0
  return new Promise((resolve, reject) => {
    const socket = connect({ ...whereOf(address), noDelay: true })
    socket.once("error", reject)
    const sendNext = (): void => {
      blocks.number(frame, done)
      at = 0
      socket.write(frame)
    }
    socket.once("connect", () => {
      began = performance.now()
      sendNext()
    })
    socket.on("data", (bytes: Buffer) => {
      const isRight =
        at + bytes.length <= frame.length && frame.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0
      if (!isRight) wrongAt ??= done * frame.length + at
      at += bytes.length
      if (at < frame.length) return
      done++
      if (done < times && wrongAt === null) return sendNext()
      socket.destroy()
      resolve({ bytes: done * frame.length, seconds: (performance.now() - began) / 1_000, wrongAt })
    })
  })
}

const nothing: ReceiverAnswer = { bytes: 0, seconds: 0, wrongAt: null }

let ignoring: Receiving | null = null

answerQuestions<ReceiverQuestion, ReceiverAnswer>(async (question) => {
  if ("receive" in question) return receive(question.receive, question.bodyBytes).done
  if ("echo" in question) return echo(question.echo, question.bodyBytes, question.times)
  if ("ignore" in question) {
    ignoring = receive(question.ignore, question.bodyBytes)
    ignoring.socket.pause()
    return nothing
  }
  ignoring?.socket.resume()
  return ignoring?.done ?? nothing
})
