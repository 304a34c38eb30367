import { expect, test, vi } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import type * as Book from "../../src/inference/expectation-book.ts"
import { explore, type SimProgram } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"

/** Planted: an expectation whose copy stands at its barrier can be claimed once more, by another client. */
vi.mock("../../src/inference/expectation-book.ts", async (importOriginal) => {
  const real = await importOriginal<typeof Book>()
  const makeExpectationBook: typeof real.makeExpectationBook = (options) => {
    const book = real.makeExpectationBook(options)
    let newest: ReturnType<typeof book.oldestPending>
    return {
      ...book,
      oldestPending: (request) =>
        book.oldestPending(request) ??
        (JSON.stringify(newest?.snapshot.value)?.includes("blocked") ? newest : undefined),
      claim(expectation, fingerprint, known) {
        if (expectation === newest) return
        newest = expectation
        book.claim(expectation, fingerprint, known)
      }
    }
  }
  return { ...real, makeExpectationBook }
})

const race: SimProgram = async (sim) => {
  const server = await sim.startServer()
  const reply = ScriptedResponse.json(200, sse.chatReply.text({ model: "tide-1", text: "Sea is calm" }))
  const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
  const turn = server.expectResponseBlocked("the only answer", matcher, reply)
  const released = sim.sleep([0, 20, 3_000, 8_000][sim.choice.draw(4, "release")] ?? 0).then(() => turn.release())

  const ask = async (client: string): Promise<void> => {
    await sim.sleep([2_500, 10, 0][sim.choice.draw(3, `start/${client}`)] ?? 0)
    const headers = { "content-type": "application/json", "x-grok-req-id": client }
    const body = JSON.stringify({ model: "tide-1", messages: [{ role: "user", content: `Weather for ${client}?` }] })
    await (await sim.fetch(client)(`${server.url()}/chat/completions`, { method: "POST", headers, body })).text()
  }
  await Promise.all(["ann", "bob"].map((client) => sim.call(client, () => ask(client))))
  await released
}

test("a claim that is not exclusive is found, made small and shown", async () => {
  const failure = await explore({ runs: 300, judge: {} }, race).then(
    () => "nothing was found",
    (error: Error) => error.message
  )
  console.info(failure)

  expect(failure).toContain("one-claim: two primaries of one expectation")
  expect(failure).toMatch(/found in run \d+ of seed 0; \d choices? (?:is|are) not calm/)
  expect(failure).toMatch(/SIM_REPLAY='us1\.[\s\S]*sequenceDiagram/)
})
