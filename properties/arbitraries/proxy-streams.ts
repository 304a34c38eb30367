import fc from "fast-check"
import type { Direction } from "../../src/proxy/plan/fault-program.ts"
import type { FramingChoice } from "../../src/proxy/proxy-options.ts"
import { joined, type WrittenFraming, writtenFramings } from "./framed-streams.ts"
import { agreed, frameShape, type WrittenFrame, webSocketFrames } from "./web-socket-streams.ts"

/** A frame as its sender wrote it. */
export interface SentFrame {
  readonly bytes: Uint8Array
  readonly headerBytes: number
  readonly kind: string | null
}

/** All that one side sends: what comes before frames, frames, and the beginning of one that never becomes whole. */
export interface SentStream {
  readonly head: Uint8Array
  readonly frames: ReadonlyArray<SentFrame>
  readonly tail: Uint8Array
}

/** What a stream is made of, whatever its framing. */
export interface RawStream {
  readonly bodies: ReadonlyArray<Uint8Array>
  readonly webFrames: ReadonlyArray<WrittenFrame>
  readonly tailBytes: number
}

/** A framing, and how a stream is written in it. Without frames of its own, each chunk that comes is one. */
export interface ProxyWire {
  readonly choice: FramingChoice
  readonly hasFrames: boolean
  write(raw: RawStream, direction: Direction): SentStream
}

export const streamBytes = ({ head, frames, tail }: SentStream): Uint8Array =>
  joined([head, ...frames.map(({ bytes }) => bytes), tail])

/** The limit of frames, which bodies do not exceed. */
export const bodyBytesMax = 200

const nothing = new Uint8Array()

/** A strict prefix of what would be a frame. */
const cutOff = (frame: Uint8Array, bytes: number): Uint8Array => frame.subarray(0, bytes % frame.length)

export const writtenWire = (framing: WrittenFraming): ProxyWire => ({
  choice: framing.choice(bodyBytesMax),
  hasFrames: true,
  write: ({ bodies, tailBytes }) => ({
    head: nothing,
    frames: bodies.map((body) => ({
      bytes: framing.write(body),
      headerBytes: framing.header(body.length).length,
      kind: null
    })),
    tail: cutOff(framing.write(new Uint8Array(90)), tailBytes)
  })
})

const opaque: ProxyWire = {
  choice: "opaque",
  hasFrames: false,
  write: ({ bodies }) => ({ head: nothing, frames: [], tail: joined(bodies) })
}

const webSocket: ProxyWire = {
  choice: "webSocket",
  hasFrames: true,
  write: ({ webFrames, tailBytes }, direction) => ({
    head: direction === "clientToLeader" ? agreed.request : agreed.response,
    frames: webFrames.map((frame) => ({ bytes: frame.bytes, ...frameShape(frame) })),
    tail: cutOff(joined([Uint8Array.from([0x82, 90]), new Uint8Array(90)]), tailBytes)
  })
}

/** Framings that know where frames end. */
export const framedWires: fc.Arbitrary<ProxyWire> = fc.oneof(
  { weight: 4, arbitrary: writtenFramings.map(writtenWire) },
  { weight: 1, arbitrary: fc.constant(webSocket) }
)

export const allWires: fc.Arbitrary<ProxyWire> = fc.oneof(
  { weight: 6, arbitrary: framedWires },
  { weight: 1, arbitrary: fc.constant(opaque) }
)

const message = fc
  .constantFrom("session/update", "session/prompt")
  .map((method) => new TextEncoder().encode(JSON.stringify({ method, params: { n: 1 } })))

const body = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 8 }) },
  { weight: 2, arbitrary: message },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: bodyBytesMax }) }
)

const framesMax = 7

export const rawStreams: fc.Arbitrary<RawStream> = fc.record({
  bodies: fc.array(body, { maxLength: framesMax }),
  webFrames: fc.array(webSocketFrames, { maxLength: framesMax }),
  tailBytes: fc.oneof(fc.constant(0), fc.nat(80))
})
