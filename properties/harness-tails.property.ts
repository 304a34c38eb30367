import fc from "fast-check"
import { expect, test } from "vitest"
import { type FilledTail, makeOutputTail } from "../src/harness/process/output-tail.ts"
import { checkProperty } from "./check.ts"

// Seen to fail, each within 20 cases, on these bugs, planted one at a time in src/harness/process/output-tail.ts: the buffer keeps no
// bytes before the tail (only the text); a tail that is exactly full counts as truncated; what is longer than the tail is kept from
// its front; the rest of a cut character is decoded; bytes that only look like the rest of a character are left out.

const capacities = fc.integer({ min: 1, max: 40 })

/** Bytes in pieces of any size. */
const pieces = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 })

const filled = (capacity: number, parts: ReadonlyArray<Uint8Array>): FilledTail => {
  const tail = makeOutputTail(capacity)
  for (const part of parts) tail.push(part)
  return tail
}

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

const decoded = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

/** Cut at these places, modulo the length. */
const cutAt = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((one, other) => one - other), bytes.length]
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut))
}

test("a tail is the last bytes, however they came, and says whether there were more (P7)", () => {
  const property = fc.property(pieces, capacities, (parts, capacity) => {
    const all = joined(parts)
    const tail = filled(capacity, parts)

    expect(tail.bytes()).toEqual(all.slice(Math.max(0, all.length - capacity)))
    expect([tail.bytesSeen(), tail.isTruncated()]).toEqual([all.length, all.length > capacity])
  })
  checkProperty("tails of output", property, { runs: 300 })
})

test("the text of a tail is the longest end of whole characters that fits (P7)", () => {
  const texts = fc.string({ unit: "binary", maxLength: 60 })
  const property = fc.property(texts, fc.array(fc.nat(), { maxLength: 8 }), capacities, (text, places, capacity) => {
    const bytes = new TextEncoder().encode(text)
    const characters = [...decoded(bytes)]
    const fits = (from: number): boolean =>
      new TextEncoder().encode(characters.slice(from).join("")).byteLength <= capacity
    const first = characters.findIndex((_, index) => fits(index))

    expect(filled(capacity, cutAt(bytes, places)).text()).toBe(first === -1 ? "" : characters.slice(first).join(""))
  })
  checkProperty("texts of tails", property, { runs: 300 })
})

test("the text of bytes that are no UTF-8 leaves nothing out but the rest of one character (P7)", () => {
  // Continuation bytes and beginnings of characters, more often than by chance.
  const byte = fc.oneof(fc.integer({ min: 0x80, max: 0xbf }), fc.constantFrom(0x41, 0xc3, 0xe2, 0xf0, 0xff))
  const bytes = fc.array(byte, { maxLength: 30 }).map((list) => Uint8Array.from(list))
  const property = fc.property(bytes, fc.integer({ min: 1, max: 12 }), (all, capacity) => {
    const tail = filled(capacity, [all])
    const start = Math.max(0, all.length - capacity)
    const last = all.slice(start)

    // Where the whole is decoded, what begins in the tail is the same; each replacement stands for what it stood for there.
    const whole = decoded(all)
    const text = tail.text()
    expect(whole.endsWith(text) || decoded(last) === text).toBe(true)
    const isLead = start > 0 && ((last[0] ?? 0) & 0xc0) !== 0x80
    if (isLead || start === 0) expect(text).toBe(decoded(last))
  })
  checkProperty("texts of bytes", property, { runs: 300 })
})
