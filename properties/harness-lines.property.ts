import fc from "fast-check"
import { expect, test } from "vitest"
import { isRecord } from "../src/domain/json.ts"
import { isResponseTo, lineContent } from "../src/wire/acp/line-content.ts"
import { type Line, lineSplitter } from "../src/wire/acp/line-splitter.ts"
import { memberToken } from "../src/wire/acp/member-token.ts"
import { agentLines, cutAt, cuts, idTokens, lineBytes, nearResponses, objectTexts } from "./arbitraries/acp-lines.ts"
import { checkProperty } from "./check.ts"

const ends = fc.constantFrom("\n", "\r\n")

const split = (chunks: ReadonlyArray<Uint8Array>, bytesMax?: number): ReadonlyArray<Line> => {
  const splitter = lineSplitter(bytesMax)
  const lines = chunks.flatMap((chunk) => [...splitter.push(chunk).lines])
  const last = splitter.end()
  return last === null ? lines : [...lines, last]
}

// Seen to fail when a line is decoded chunk by chunk, and when a CR is looked for in the last chunk alone.
test("W1. lines do not depend on where their bytes are cut", () => {
  checkProperty(
    "acp lines",
    fc.property(fc.array(fc.tuple(agentLines, ends), { maxLength: 6 }), fc.boolean(), cuts, (lines, isOpen, places) => {
      const written = lines.map(([line, end], index) => line + (isOpen && index === lines.length - 1 ? "" : end))
      const bytes = new TextEncoder().encode(written.join(""))

      const read = split(cutAt(bytes, places))

      const texts = lines.map(([line]) => line)
      // An empty line without an end is no line.
      if (isOpen && texts.at(-1) === "") texts.pop()
      expect(read.map(({ text }) => text)).toEqual(texts)
    }),
    { runs: 1000 }
  )
})

// Seen to fail when a CR is left out of the bytes of its line.
test("W2. the bytes of all lines are the bytes that were written", () => {
  checkProperty(
    "acp bytes",
    fc.property(lineBytes, cuts, (bytes, places) => {
      const read = split(cutAt(bytes, places))

      expect(read.flatMap((line) => [...line.bytes])).toEqual([...bytes])
    }),
    { runs: 1000 }
  )
})

// Seen to fail when the terminator is not counted, and when only whole lines are measured.
test("a line over the limit is told as soon as it is over, and lines before it are kept", () => {
  checkProperty(
    "acp overflow",
    fc.property(fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 5 }), cuts, (lengths, places) => {
      const bytesMax = 8
      const bytes = new TextEncoder().encode(lengths.map((length) => `${"x".repeat(length)}\n`).join(""))
      const tooLong = lengths.findIndex((length) => length + 1 > bytesMax)
      const before = lengths.slice(0, Math.max(tooLong, 0)).reduce((sum, length) => sum + length + 1, 0)
      // So many bytes, and it is known that what follows the lines before cannot fit: a line of 8 without LF is one too many.
      const knownAt = tooLong < 0 ? Number.POSITIVE_INFINITY : before + bytesMax
      const splitter = lineSplitter(bytesMax)
      let sent = 0
      let lines = 0
      for (const chunk of cutAt(bytes, places)) {
        const got = splitter.push(chunk)
        sent += chunk.length
        lines += got.lines.length
        expect(got.overflow === null).toBe(sent < knownAt)
        if (got.overflow !== null) break
      }

      expect(lines).toBe(tooLong < 0 ? lengths.length : tooLong)
    }),
    { runs: 1000 }
  )
})

// Seen to fail when the first of two members counts, and when escapes in names are compared as written.
test("the token of a member is the text that a parser reads its value from", () => {
  checkProperty(
    "acp tokens",
    fc.property(objectTexts, fc.constantFrom("id", "params", "nothing"), (json, name) => {
      const token = memberToken(json, name)

      const value: unknown = JSON.parse(json)
      if (!isRecord(value) || !Object.hasOwn(value, name)) expect(token).toBeNull()
      else expect(JSON.parse(token ?? "")).toEqual(value[name])
    }),
    { runs: 1000 }
  )
})

// Seen to fail when the id is written from its parsed value.
test("the id of a request comes back as it was written", () => {
  checkProperty(
    "acp ids",
    fc.property(idTokens, objectTexts, (token, params) => {
      const content = lineContent(`{"method":"m","params":${params},"id": ${token} }`)

      expect(content).toMatchObject({ kind: "request", idToken: token.trim() })
    }),
    { runs: 1000 }
  )
})

// Seen to fail when a method that is null counts as none, and when ids are compared as text.
test("W12. a response matches exactly when it is an object without a method whose id is that string", () => {
  checkProperty(
    "acp match",
    fc.property(fc.oneof(agentLines, nearResponses), fc.constantFrom("a", "7", "A"), (line, wanted) => {
      expect(isResponseTo(lineContent(line), wanted)).toBe(matchesByTheBook(line, wanted))
    }),
    { runs: 2000 }
  )
})

const matchesByTheBook = (line: string, wanted: string): boolean => {
  try {
    const value: unknown = JSON.parse(line)
    return (
      isRecord(value) && !Object.hasOwn(value, "method") && typeof value["id"] === "string" && value["id"] === wanted
    )
  } catch {
    return false
  }
}
