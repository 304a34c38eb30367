import { describe, expect, it } from "vitest"
import { encodeFrame, frameBodyBytesMax, frameDecoder } from "../../../src/wire/frames/length-prefixed.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("frames", () => {
  it("have four bytes of length, the most significant first, before their body", () => {
    expect([...encodeFrame(bytes("hi"))]).toEqual([0, 0, 0, 2, 0x68, 0x69])
    expect([...encodeFrame(new Uint8Array(258)).subarray(0, 4)]).toEqual([0, 0, 1, 2])
    expect([...encodeFrame(new Uint8Array())]).toEqual([0, 0, 0, 0])
  })

  it("of the longest body are read, and one byte more fails before anything of it is taken", () => {
    const longest = frameDecoder()
    expect(longest.push(Uint8Array.of(4, 0, 0, 0))).toEqual({ bodies: [], failure: null })
    const { bodies } = longest.push(new Uint8Array(frameBodyBytesMax))
    expect(bodies.map(({ length }) => length)).toEqual([frameBodyBytesMax])

    const tooLong = frameDecoder()
    const { bodies: before, failure } = tooLong.push(Uint8Array.of(0, 0, 0, 1, 7, 4, 0, 0, 1, 9, 9, 9))

    expect(before).toEqual([Uint8Array.of(7)])
    expect(failure).toMatchObject({ _tag: "FrameTooLarge", limit: 67_108_864, length: 67_108_865 })
    expect(tooLong.heldBytes()).toBe(4)
    expect(tooLong.push(encodeFrame(bytes("hi")))).toEqual({ bodies: [], failure })
    expect(tooLong.heldBytes()).toBe(4)
  })

  it("are not written when they are too long", () => {
    expect(() => encodeFrame(new Uint8Array(frameBodyBytesMax + 1))).toThrow(/67108865 bytes; at most 67108864/)
  })

  it("reserve no memory for a body that is only announced, and copy a body that trickles in no more than twice", () => {
    const decoder = frameDecoder()
    decoder.push(Uint8Array.of(4, 0, 0, 0))
    const piece = new Uint8Array(1)
    const before = process.memoryUsage().arrayBuffers
    for (let sent = 0; sent < 100_000; sent++) decoder.push(piece)

    expect(decoder.heldBytes()).toBe(100_004)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
  })
})
