import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { promptLengthMax, readPromptLines } from "../../src/cli/prompt-lines.ts"

// Seen to fail on these bugs, planted one at a time in src/cli/prompt-lines.ts: the last line needs its end; a line that nobody wants any
// more is lost; a long line is given in part; the end is told to one who waits alone.

const reading = () => {
  const stream = new PassThrough()
  let tooLong = 0
  return { stream, lines: readPromptLines(stream, () => tooLong++), tooLong: () => tooLong }
}

test("lines are given in order, the last one without an end too, and then no more", async () => {
  const { stream, lines } = reading()
  const first = lines.next()
  stream.write("one\r\ntw")
  stream.end("o\n\nthree")

  expect(await first).toBe("one")
  expect([await lines.next(), await lines.next(), await lines.next()]).toEqual(["two", "", "three"])
  expect([await lines.next(), await lines.next()]).toEqual([null, null])
})

test("who no longer wants a line leaves it to the next", async () => {
  const { stream, lines } = reading()
  const given = new AbortController()
  const question = lines.next(given.signal)
  given.abort()
  const prompt = lines.next()
  stream.write("hello\n")

  expect([await question, await prompt]).toEqual([null, "hello"])
  expect(await lines.next(given.signal)).toBeNull()
})

test("all who wait hear of the end, and so does who closes", async () => {
  const { stream, lines } = reading()
  const waiting = [lines.next(), lines.next()]
  lines.close()

  expect(await Promise.all(waiting)).toEqual([null, null])
  expect([stream.destroyed, await lines.next()]).toEqual([true, null])
})

test("a line that is too long is dropped as a whole, and told of once", async () => {
  const { stream, lines, tooLong } = reading()
  stream.write("x".repeat(promptLengthMax + 1))
  stream.write("x".repeat(promptLengthMax + 1))
  stream.end("x\nnext\n")

  expect([await lines.next(), await lines.next()]).toEqual(["next", null])
  expect(tooLong()).toBe(1)
})

test("a pipe that brings more than anybody asks for is not read to its end", async () => {
  const { stream, lines } = reading()
  for (let line = 0; line < 300; line++) stream.write(`${line}\n`)
  await new Promise((resolve) => setImmediate(resolve))

  expect(stream.isPaused()).toBe(true)
  for (let line = 0; line < 300; line++) expect(await lines.next()).toBe(String(line))
})
