import { expect, test } from "vitest"
import { explore, type SimNetworkOptions, type SimWorld, withSim } from "../../src/sim.ts"

const body = JSON.stringify({
  model: "m",
  stream: true,
  messages: [{ role: "user", content: "one two three four five" }]
})
const headers = { "content-type": "application/json" }

/** The pieces in which an echo is read. */
const readEcho = async (sim: SimWorld): Promise<ReadonlyArray<string>> => {
  const server = await sim.startServer()
  const { body: stream } = await sim.fetch("ann")(`${server.url()}/chat/completions`, { method: "POST", headers, body })
  const pieces: Array<string> = []
  const decoder = new TextDecoder()
  for await (const piece of stream ?? []) pieces.push(decoder.decode(piece, { stream: true }))
  return pieces
}

const textOf = (pieces: ReadonlyArray<string>): string => pieces.join("")
const run = (network: SimNetworkOptions, seed?: number) =>
  withSim({ network, ...(seed === undefined ? {} : { seed }) }, readEcho)

test("a stream that is written at once is one piece where nothing can hit it, and in the calm world", async () => {
  expect(await run({}, 3)).toHaveLength(1)
  expect(await run({ faults: { rst: 1 / 20 } })).toHaveLength(1)
})

test("where pieces can be hit it is cut behind events, and the same bytes come", async () => {
  const whole = textOf(await run({}))
  const counts = new Set<number>()
  for (let seed = 0; seed < 30; seed++) {
    const pieces = await run({ faults: { stall: 1 / 500 } }, seed)
    counts.add(pieces.length)
    expect(textOf(pieces)).toBe(whole)
    for (const piece of pieces) expect(piece).toMatch(/\n\n$/)
  }

  expect([...counts].sort((one, two) => one - two)).toEqual([1, 2, 4, 8])
})

test("segments of messages are no longer than they may be", async () => {
  const pieces = await run({ segmentBytesMax: 16 }, 5)

  expect(textOf(pieces)).toBe(textOf(await run({})))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(16)
})

test("a client that keeps half of an answer and asks again is found, though the server writes at once", async () => {
  const forgetful = async (sim: SimWorld) => {
    const server = await sim.startServer()
    let text = ""
    const ask = async () => {
      const { body: stream } = await sim.fetch("ann")(`${server.url()}/chat/completions`, {
        method: "POST",
        headers,
        body
      })
      for await (const piece of stream ?? []) text += new TextDecoder().decode(piece)
    }
    await ask()
      .catch(ask)
      .catch(() => {})
    const starts = text.split('"role":"assistant"').length - 1
    if (starts > 1) throw new Error("an answer begins twice")
  }

  await expect(explore({ runs: 300, network: { faults: { rst: 1 / 5 } } }, forgetful)).rejects.toThrow(
    "an answer begins twice"
  )
})
