import { describe, expect, it } from "vitest"
import { makeByteQueue } from "../../../src/wire/http/byte-queue.ts"

// Seen to fail when the end of what waits stays where it was in a larger memory.
describe("bytes that wait", () => {
  it("come in the order in which they went, whatever is put behind them between", () => {
    const queue = makeByteQueue()
    const given: Array<Uint8Array> = []
    let next = 0
    const piece = (bytes: number) => Uint8Array.from({ length: bytes }, () => next++ % 251)
    for (let round = 1; round < 60; round++) {
      queue.push(piece(round * 7))
      queue.push(piece(round))
      given.push(queue.take(round * 5))
    }
    given.push(queue.take(next))

    expect(queue.bytes()).toBe(0)
    expect(Buffer.concat(given)).toEqual(Buffer.from(Uint8Array.from({ length: next }, (_, at) => at % 251)))
  })

  it("are the piece itself while there is but one", () => {
    const queue = makeByteQueue()
    const piece = new Uint8Array(10)
    queue.push(piece)

    expect(queue.take(4).buffer).toBe(piece.buffer)
    expect(queue.take(10)).toHaveLength(6)
    expect(queue.take(1)).toHaveLength(0)
  })
})
