import fc from "fast-check"
import { expect, it } from "vitest"
import { makeByteStore } from "../../src/live/byte-store.ts"

it("gives back what came, however it was cut", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40_000 })), (chunks) => {
      const store = makeByteStore()
      for (const chunk of chunks) store.add(Buffer.from(chunk))

      expect(Buffer.from(store.take()).equals(Buffer.concat(chunks))).toBe(true)
      expect(store.length()).toBe(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
    })
  )
})

it("holds no more than about twice what came in chunks of one byte", () => {
  const store = makeByteStore()
  const one = Buffer.from("x")
  for (let count = 0; count < 300_000; count++) store.add(one)

  expect(store.take().buffer.byteLength).toBeLessThanOrEqual(600_000 + 16 * 1024)
})
