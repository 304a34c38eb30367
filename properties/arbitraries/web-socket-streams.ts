import fc from "fast-check"
import type { FrameShape } from "../../src/wire/frames/frame-reader.ts"
import { joined } from "./framed-streams.ts"

/** A frame of a web socket as it is written, whatever may be thought of it. */
export interface WrittenFrame {
  readonly bytes: Uint8Array
  readonly headerBytes: number
  readonly payloadBytes: number
  readonly opcode: number
  readonly isFinal: boolean
  readonly isControl: boolean
}

const kinds = ["continuation", "text", "binary", "reserved", "", "", "", "", "close", "ping", "pong", "reserved"]

/** The length in one of its three forms; a short one may be written long. */
const lengthIn = (form: 7 | 16 | 64, length: number): ReadonlyArray<number> => {
  if (form === 7 && length < 126) return [length]
  const wide = Buffer.alloc(8)
  wide.writeBigUInt64BE(BigInt(length))
  return form === 64 ? [127, ...wide] : [126, ...wide.subarray(6)]
}

export const webSocketFrames: fc.Arbitrary<WrittenFrame> = fc
  .record({
    opcode: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 8, 9, 10, 11),
    isFinal: fc.boolean(),
    reserved: fc.constantFrom(0, 0, 0x40, 0x70),
    mask: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 })),
    form: fc.constantFrom<7 | 16 | 64>(7, 16, 64),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 10 }),
      fc.constantFrom(new Uint8Array(), new Uint8Array(125), new Uint8Array(126), new Uint8Array(300))
    )
  })
  .map(({ opcode, isFinal, reserved, mask, form, payload }) => {
    const [first = 0, ...rest] = lengthIn(form, payload.length)
    const start = [(isFinal ? 0x80 : 0) | reserved | opcode, first | (mask === null ? 0 : 0x80)]
    const header = Uint8Array.from([...start, ...rest, ...(mask ?? [])])
    return {
      bytes: joined([header, payload]),
      headerBytes: header.length,
      payloadBytes: payload.length,
      opcode,
      isFinal,
      isControl: opcode >= 8
    }
  })

export const frameShape = ({ headerBytes, bytes, opcode }: WrittenFrame): FrameShape => ({
  headerBytes,
  totalBytes: bytes.length,
  kind: kinds[opcode] ?? null
})

/** What is given of a stream where every message is wanted whole: frames of control at once, messages with their last frame. */
export interface GivenWhole {
  readonly bytes: Uint8Array
  /** Null for a frame of control. */
  readonly message: FrameShape | null
  /** How many bytes of the stream were needed. */
  readonly at: number
}

export const givenWhole = (frames: ReadonlyArray<WrittenFrame>): ReadonlyArray<GivenWhole> => {
  let open: Array<WrittenFrame> = []
  let at = 0
  const given: Array<GivenWhole> = []
  for (const frame of frames) {
    at += frame.bytes.length
    if (frame.isControl) {
      given.push({ bytes: frame.bytes, message: null, at })
      continue
    }
    open.push(frame)
    if (!frame.isFinal) continue
    const bytes = joined(open.map((part) => part.bytes))
    const { headerBytes, opcode } = open[0] ?? frame
    given.push({ bytes, message: { headerBytes, totalBytes: bytes.length, kind: kinds[opcode] ?? null }, at })
    open = []
  }
  return given
}

const head = (lines: ReadonlyArray<string>): Uint8Array => new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`)

const asking = head(["GET /chat HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade"])
const interims = [head(["HTTP/1.1 100 Continue"]), head(["HTTP/1.1 103 Early Hints", "Link: </a>"])]
const switching = head(["HTTP/1.1 101 Switching Protocols", "upgrade: WebSocket"])

/** What both sides say first, and whether a web socket comes of it. */
export interface Handshake {
  readonly request: Uint8Array
  readonly response: Uint8Array
  readonly isAgreed: boolean
}

export const agreed: Handshake = { request: asking, response: switching, isAgreed: true }

export const handshakes: fc.Arbitrary<Handshake> = fc
  .record({
    request: fc.constantFrom(
      { bytes: asking, isAsking: true },
      { bytes: head(["GET / HTTP/1.1", "UPGRADE:\th2c, WebSocket ", "x: y"]), isAsking: true },
      { bytes: head(["POST /websocket HTTP/1.1", "X-Upgrade: websocket", "Upgrade: websockets"]), isAsking: false }
    ),
    before: fc.subarray(interims),
    response: fc.constantFrom(
      { bytes: switching, isSwitching: true },
      { bytes: head(["HTTP/1.1 101"]), isSwitching: true },
      { bytes: head(["HTTP/1.1 200 OK", "Content-Length: 101"]), isSwitching: false },
      { bytes: head(["nothing known"]), isSwitching: false }
    )
  })
  .map(({ request, before, response }) => ({
    request: request.bytes,
    response: joined([...before, response.bytes]),
    isAgreed: request.isAsking && response.isSwitching
  }))
