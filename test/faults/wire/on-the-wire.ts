import { STATUS_CODES } from "node:http"
import { chunksOf, type Plan } from "../../../src/domain/plan.ts"
import type { VirtualResponse } from "../../../src/sim.ts"

/** What arrives without time passing, and the time that has to pass then. */
export interface Stretch {
  readonly bytes: Buffer
  readonly pauseMs: number
}

interface Head {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: ReadonlyArray<string>
}

const isChunked = ({ headers }: Head): boolean => !headers.includes("content-length")

const headBytes = (head: Head): Buffer => {
  const { status } = head
  const headers = isChunked(head) ? [...head.headers, "transfer-encoding", "chunked"] : head.headers
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}\r\n`] : []))
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "unknown"}\r\n${lines.join("")}\r\n`)
}

const chunk = (bytes: string | Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`), Buffer.from(bytes), Buffer.from("\r\n")])

const terminator = Buffer.from("0\r\n\r\n")

/** The bytes that a plan promises in their chunks, cut at its pauses; of its heartbeats the first one. */
export const stretchesOf = ({ steps, ending, heartbeat }: Plan): ReadonlyArray<Stretch> => {
  const stretches: Array<Stretch> = []
  let bytes: Array<Buffer> = []
  let inChunks = false
  for (const step of steps) {
    if (step.kind === "head") {
      inChunks = isChunked(step)
      bytes.push(headBytes(step))
    } else if (step.kind === "write") {
      const isFramed = inChunks && step.isUnframed !== true
      for (const each of chunksOf(step.bytes, step.chunkEnds)) bytes.push(isFramed ? chunk(each) : Buffer.from(each))
    } else if (step.kind === "pause") {
      stretches.push({ bytes: Buffer.concat(bytes), pauseMs: step.ms })
      bytes = []
    }
  }
  if (ending === "end" && inChunks) bytes.push(terminator)
  if (heartbeat !== undefined) bytes.push(chunk(heartbeat.bytes))
  return [...stretches, { bytes: Buffer.concat(bytes), pauseMs: 0 }]
}

/** The bytes that a real client would have received of a virtual answer. */
export const wireOf = ({ status, headers, pieces, ended }: VirtualResponse): Buffer => {
  if (status === null) return Buffer.alloc(0)
  const head = { status, headers: headers.flat() }
  const inChunks = isChunked(head)
  return Buffer.concat([
    headBytes(head),
    ...pieces.map(({ bytes, isUnframed }) => (inChunks && isUnframed !== true ? chunk(bytes) : Buffer.from(bytes))),
    ...(inChunks && ended === "end" ? [terminator] : [])
  ])
}

/** The body of an answer without its head and its chunks, as far as it came. */
export const bodyIn = (message: Buffer): Buffer => {
  const start = message.indexOf("\r\n\r\n") + 4
  if (!message.subarray(0, start).includes("transfer-encoding: chunked")) return message.subarray(start)
  const chunks: Array<Buffer> = []
  for (let at = start; at < message.byteLength; ) {
    const end = message.indexOf("\r\n", at)
    const size = Number.parseInt(message.subarray(at, end).toString("latin1"), 16)
    if (!(size > 0)) break
    chunks.push(message.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(chunks)
}
