import { describe, expect, it } from "vitest"
import type { ConnectionReaders } from "../../../src/proxy/framing/framing.ts"
import { preambleBytesMax } from "../../../src/proxy/framing/http-preamble.ts"
import { openFraming } from "../../../src/proxy/framing/open-framing.ts"
import type { Direction } from "../../../src/proxy/plan/fault-program.ts"
import type { FramingChoice } from "../../../src/proxy/proxy-options.ts"
import type { FramePart, FrameReader } from "../../../src/wire/frames/frame-reader.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const request = bytes("GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n")
const response = bytes("HTTP/1.1 101 Switching Protocols\r\n\r\n")
const one = { most: 1, isWhole: true }
const run = { most: Number.POSITIVE_INFINITY, isWhole: false }

/** The example of RFC 6455, section 5.7: a masked text that says "Hello". */
const maskedHello = Uint8Array.of(0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58)

/** A frame of a server, or of a client whose mask is 1, 2, 3, 4. */
const frame = (first: number, payload: Uint8Array, { isMasked = false } = {}): Uint8Array =>
  isMasked
    ? Uint8Array.of(first, 0x80 | payload.length, 1, 2, 3, 4, ...payload.map((byte, at) => byte ^ ((at % 4) + 1)))
    : Uint8Array.of(first, payload.length, ...payload)

const fed = (reader: FrameReader, ...chunks: ReadonlyArray<Uint8Array>): FrameReader => {
  for (const chunk of chunks) reader.feed(chunk)
  return reader
}

const opened = (choice: FramingChoice = "webSocket"): ConnectionReaders => {
  const readers = openFraming(choice).open()
  expect(fed(readers.clientToLeader, request).next(run)?.bytes).toEqual(request)
  expect(fed(readers.leaderToClient, response).next(run)?.bytes).toEqual(response)
  return readers
}

const partsOf = (reader: FrameReader, wish = one): ReadonlyArray<FramePart> => {
  const part = reader.next(wish)
  return part === null ? [] : [part, ...partsOf(reader, wish)]
}

describe("the framing of web sockets", () => {
  it("leaves masks as they came", () => {
    const [part] = partsOf(fed(opened().clientToLeader, maskedHello))
    expect(part).toMatchObject({ bytes: maskedHello, last: { headerBytes: 6, totalBytes: 11, kind: "text" } })
  })

  it("decodes the JSON of a text that is whole, masked or not, and of nothing else", () => {
    const content = (...frames: ReadonlyArray<Uint8Array>) => {
      const { leaderToClient } = opened()
      return partsOf(fed(leaderToClient, ...frames)).map((part) => leaderToClient.content(part))
    }
    const json = bytes('{"method":"ping"}')
    expect(content(frame(0x81, json), frame(0x81, json, { isMasked: true }))).toEqual([
      { method: "ping" },
      { method: "ping" }
    ])
    const binary = frame(0x82, json)
    const beginning = frame(0x01, bytes("1"))
    const end = frame(0x80, bytes("2"))
    const compressed = frame(0xc1, json)
    const others = [
      binary,
      beginning,
      end,
      compressed,
      maskedHello,
      frame(0x89, json),
      frame(0x81, Uint8Array.of(0xff))
    ]
    expect(content(...others)).toEqual(others.map(() => undefined))
  })

  it("counts a message, with what it says, in place of its frames", () => {
    const { clientToLeader } = opened({ type: "webSocket", counts: "messages" })
    const first = frame(0x01, bytes('{"a":'), { isMasked: true })
    const ping = frame(0x89, bytes("!"))
    const last = frame(0x80, bytes("1}"))
    const [control, message, ...rest] = partsOf(fed(clientToLeader, first, ping, last))
    expect(control).toMatchObject({ bytes: ping, frames: 0, last: null, isWhole: false })
    expect(message).toMatchObject({
      bytes: Uint8Array.of(...first, ...last),
      frames: 1,
      last: { headerBytes: 6, totalBytes: first.length + last.length, kind: "text" },
      isWhole: true
    })
    expect(message === undefined ? null : clientToLeader.content(message)).toEqual({ a: 1 })
    expect(rest).toEqual([])
  })

  it("goes on with a message in pieces when its beginning was given so", () => {
    const { clientToLeader } = opened({ type: "webSocket", counts: "messages" })
    const first = frame(0x02, bytes("abc"))
    expect(fed(clientToLeader, first).next(one)).toBeNull()
    expect(clientToLeader.next(run)).toMatchObject({ bytes: first, frames: 0 })
    expect(clientToLeader.isInFrame()).toBe(true)
    const last = frame(0x80, bytes("d"))
    expect(fed(clientToLeader, last).next(one)).toMatchObject({ bytes: last, frames: 1, isWhole: false })
    expect(clientToLeader.isInFrame()).toBe(false)
  })

  it("takes nothing for a whole message whose beginning was given, whatever else comes with its end", () => {
    const { clientToLeader } = opened({ type: "webSocket", counts: "messages" })
    expect(fed(clientToLeader, frame(0x01, bytes(""))).next(run)).toMatchObject({ frames: 0 })
    const behind = Uint8Array.of(...frame(0x89, bytes("")), ...frame(0x80, bytes("a")))
    const part = fed(clientToLeader, behind).next(run)
    expect(part).toMatchObject({ bytes: behind, frames: 1, last: { totalBytes: behind.length }, isWhole: false })
  })

  it("refuses a payload above the limit when its header is there, also one that comes in frames of a message", () => {
    const problemOf = (choice: FramingChoice, input: Uint8Array): string | undefined => {
      const { clientToLeader } = opened(choice)
      expect(partsOf(fed(clientToLeader, input))).toEqual([])
      return clientToLeader.failure()?.message
    }
    const long = Uint8Array.of(0x82, 127, 0, 0, 0, 0, 4, 0, 0, 1)
    expect(problemOf("webSocket", long)).toBe("the payload of a frame has 67108865 bytes; at most 67108864 are allowed")
    expect(problemOf("webSocket", long.subarray(0, -1))).toBeUndefined()
    const pieces = Uint8Array.of(...frame(0x02, bytes("ab")), 0x80, 2)
    const problem = problemOf({ type: "webSocket", counts: "messages", limitBytes: 3 }, pieces)
    expect(problem).toBe("the payload of a message has 4 bytes; at most 3 are allowed")
    // Each of them is two bytes that are kept.
    const empty = Buffer.concat([frame(0x01, bytes("")), ...Array(32_768).fill(frame(0x00, bytes("")))])
    expect(problemOf({ type: "webSocket", counts: "messages", limitBytes: 3 }, empty.subarray(0, -2))).toBeUndefined()
    expect(problemOf({ type: "webSocket", counts: "messages", limitBytes: 3 }, empty)).toBe(
      "what stands before the payload of a message has 65538 bytes; at most 65536 are allowed"
    )
  })

  it("lets what a client sends too early wait for the response, and says when it goes on", () => {
    const woken: Array<Direction> = []
    const { clientToLeader, leaderToClient } = openFraming("webSocket").open({
      woken: (direction) => woken.push(direction)
    })
    expect(partsOf(fed(clientToLeader, request, maskedHello))).toHaveLength(1)
    expect(clientToLeader.isWaiting?.()).toBe(true)
    expect(clientToLeader.heldBytes()).toBe(maskedHello.length)
    expect(partsOf(fed(leaderToClient, bytes("HTTP/1.1 100 Continue\r\n\r\n")))).toHaveLength(1)
    expect(woken).toEqual([])
    expect(partsOf(fed(leaderToClient, response))).toHaveLength(1)
    expect(woken).toEqual(["clientToLeader"])
    expect(clientToLeader.isWaiting?.()).toBe(false)
    expect(clientToLeader.next(one)).toMatchObject({ bytes: maskedHello, last: { kind: "text" } })
  })

  it("takes every chunk for a frame when the response is another, or there is none", () => {
    for (const answer of [bytes("HTTP/1.1 404 Not Found\r\n\r\n"), bytes("HTTP/1.1 1")]) {
      const woken: Array<Direction> = []
      const { clientToLeader, leaderToClient } = openFraming("webSocket").open({
        woken: (direction) => woken.push(direction)
      })
      expect(partsOf(fed(clientToLeader, request, maskedHello))).toHaveLength(1)
      expect(partsOf(fed(leaderToClient, answer)).length).toBeLessThan(2)
      leaderToClient.end()
      expect(woken).toEqual(["clientToLeader"])
      expect(clientToLeader.next(one)).toMatchObject({ bytes: maskedHello, last: { headerBytes: 0, kind: null } })
    }
  })

  it("waits for no response when the request asks for no web socket", () => {
    const { clientToLeader } = openFraming("webSocket").open()
    const [head, body] = partsOf(fed(clientToLeader, bytes("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab")))
    expect(head).toMatchObject({ frames: 0 })
    expect(body).toMatchObject({ bytes: bytes("ab"), frames: 1 })
  })

  it("finds the end of a head behind a CR that is none", () => {
    const { clientToLeader } = openFraming("webSocket").open()
    const head = bytes("GET / HTTP/1.1\r\nx: y\r\r\n\r\n")
    expect(partsOf(fed(clientToLeader, head))).toMatchObject([{ bytes: head, frames: 0 }])
  })

  it("refuses a head that has no end within 64 KiB", () => {
    const { clientToLeader } = openFraming("webSocket").open()
    expect(partsOf(fed(clientToLeader, new Uint8Array(preambleBytesMax)))).toEqual([])
    expect(clientToLeader.failure()).toBeNull()
    expect(partsOf(fed(clientToLeader, new Uint8Array(1)))).toEqual([])
    expect(clientToLeader.failure()?.reason).toBe("bad header")
    expect(clientToLeader.heldBytes()).toBe(0)
    expect(clientToLeader.end()).toBeNull()
  })

  it("gives what there is of a head that the input ends in", () => {
    const { clientToLeader } = openFraming("webSocket").open()
    expect(partsOf(fed(clientToLeader, bytes("GET ")))).toEqual([])
    expect(clientToLeader.end()).toMatchObject({ bytes: bytes("GET "), frames: 0 })
  })
})
