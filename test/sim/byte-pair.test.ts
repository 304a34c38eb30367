import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type ByteEnd, makeBytePair, makeStdioPair } from "../../src/sim/byte-pair.ts"
import { kernelOf, runOut } from "./transport-world.ts"

const utf8 = new TextEncoder()

const send = (end: ByteEnd, text: string): boolean => {
  const bytes = utf8.encode(text)
  return end.send(bytes, bytes.byteLength)
}

/** What an end has read: its text, how many pieces it came in, and how it ended. */
const watch = (end: ByteEnd) => {
  const decoder = new TextDecoder()
  const seen = { text: "", pieces: [] as Array<number>, ended: "" }
  end.read({
    data(bytes) {
      seen.pieces.push(bytes.byteLength)
      seen.text += decoder.decode(bytes, { stream: true })
    },
    fin() {
      seen.ended = "fin"
    },
    rst() {
      seen.ended = "rst"
    }
  })
  return seen
}

describe("A pair of byte streams", () => {
  test("brings the same bytes, however they are cut", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 16 }),
        fc.array(fc.string({ unit: "grapheme" })),
        (seed, max, texts) => {
          const kernel = kernelOf(seed)
          const { near, far } = makeBytePair(kernel, { near: "proxy", far: "leader", segmentBytesMax: max })
          const seen = watch(far)
          for (const text of texts) send(near, text)
          near.finish()
          runOut(kernel)

          expect(seen.text).toBe(texts.join(""))
          expect(seen.ended).toBe("fin")
          expect(Math.max(0, ...seen.pieces)).toBeLessThanOrEqual(max)
        }
      )
    )
  })

  test("cuts nothing when it is calm and was not told to", () => {
    const kernel = kernelOf()
    const { near, far } = makeBytePair(kernel, { near: "proxy", far: "leader" })
    const seen = watch(far)
    send(near, "a whole line\n")
    runOut(kernel)

    expect(seen.pieces).toEqual([13])
    expect(kernel.steps().map(({ op }) => [op.actor, op.channel])).toEqual([["leader", "proxy>leader"]])
  })

  test("refuses segments of no bytes", () => {
    expect(() => makeBytePair(kernelOf(), { near: "a", far: "b", segmentBytesMax: 0 })).toThrow("segmentBytesMax is 0")
  })
})

describe("The streams of a process", () => {
  test("keep each its own order, and end when the process is gone", () => {
    const kernel = kernelOf()
    const { parent, child, exit } = makeStdioPair(kernel, { near: "agent", far: "test" })
    const seen = { stdin: watch(child.stdin), stdout: watch(parent.stdout), stderr: watch(parent.stderr) }
    send(parent.stdin, "prompt\n")
    send(child.stdout, "answer\n")
    send(child.stderr, "warning\n")
    runOut(kernel)
    exit()
    runOut(kernel)

    expect(seen.stdin.text).toBe("prompt\n")
    expect(seen.stdout).toMatchObject({ text: "answer\n", ended: "fin" })
    expect(seen.stderr).toMatchObject({ text: "warning\n", ended: "fin" })
  })

  test("tell a parent that writes to a process that is gone", () => {
    const kernel = kernelOf()
    const { parent, exit } = makeStdioPair(kernel, { near: "agent", far: "test" })
    const seen = watch(parent.stdin)
    exit()
    send(parent.stdin, "anybody there?\n")
    runOut(kernel)

    expect(seen.ended).toBe("rst")
  })
})
