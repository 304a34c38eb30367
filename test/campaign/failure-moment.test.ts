import { expect, test } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { explainFailure } from "../../src/report/explain-failure.ts"
import type { RunTrace, TracedStep } from "../../src/report/run-trace.ts"
import { explore } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"
import { failing } from "./failing-trace.ts"

const momentOf = ({ end, steps }: RunTrace): ReadonlyArray<TracedStep> =>
  steps.filter(({ step }) => end.type === "failed" && end.failedAt.includes(step))

// Seen to fail while the last step counted, after servers were closed.
test("a failure stands at the step after which the program threw", async () => {
  const trace = await failing(async (sim) => {
    const server = await sim.startServer()
    await (await sim.fetch("ann")(`${server.url()}/models`)).text()
    await sim.sleep(100)
    throw new Error("bad")
  })

  expect(momentOf(trace)).toMatchObject([{ label: "sleep", actor: "test", at: 104 }])
  expect(momentOf(trace)[0]?.state).toBeUndefined()
  expect(trace.steps.at(-1)?.at).toBeGreaterThan(104)
  expect(explainFailure(trace)).toMatch(/at step \d+ of \d+, 104 ms: timer sleep to test/)
})

test("the failure of a law stands at the step that broke it", async () => {
  const trace = await failing(
    async (sim) => {
      await sim.sleep(5)
      await sim.call("ann", async ({ tool }) => {
        await tool("call_1", () => 1)
        await sim.sleep(5)
        await tool("call_1", () => 1)
      })
      await sim.sleep(1_000)
    },
    { judge: {} }
  )

  expect(trace.end).toMatchObject({ oracle: "tools-once" })
  expect(momentOf(trace)).toMatchObject([{ at: 10, actor: "ann" }])
})

test("the failure of what should have come stands where it was waited for in vain", async () => {
  const trace = await failing(
    async (sim) => {
      const server = await sim.startServer()
      const events = sse.chat.text({ model: "tide-1", text: "calm" })
      const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
      server.expectResponse("weather", matcher, { ...ScriptedResponse.sse(events), pacing: { delayMs: 100 } })
      await sim.call("ann", async (call) => {
        setTimeout(() => call.abort(), 50)
        const body = JSON.stringify({ model: "tide-1", messages: [{ role: "user", content: "?" }], stream: true })
        const headers = { "content-type": "application/json" }
        const answer = await sim.fetch("ann")(`${server.url()}/chat/completions`, { method: "POST", headers, body })
        await answer.text()
      })
      await sim.sleep(10_000)
    },
    { judge: {} }
  )

  expect(trace.end).toMatchObject({ oracle: "cancel" })
  const [moment] = momentOf(trace)
  expect(moment?.at).toBeGreaterThanOrEqual(50)
  expect(moment?.at).toBeLessThan(10_000)
})

test("sleeps and choices of a client are its own, and those of the test are the test's", async () => {
  const trace = await failing(async (sim) => {
    await sim.sleep(sim.choice.draw(2, "pause"))
    await sim.as("ann", async () => {
      await sim.sleep(1)
      if (sim.choice.draw(3, "think") === 2) throw new Error("thought")
    })
  })

  expect(trace.steps.map(({ actor, label }) => `${actor} ${label}`)).toEqual(["test sleep", "ann sleep"])
  expect(trace.steps.flatMap(({ draws }) => draws.map(({ label }) => label))).toEqual(["test/pause", "test/ann/think"])
})

test("what travels between a client and a server comes from them, whoever runs when it is sent", async () => {
  const trace = await failing(async (sim) => {
    const server = await sim.startServer()
    const ask = async (client: string): Promise<void> => {
      const [one, two] = await Promise.all([1, 2].map(() => sim.fetch(client)(`${server.url()}/models`)))
      await Promise.all([one?.text(), two?.text()])
    }
    await Promise.all(["ann", "bob"].map((client) => sim.as(client, () => ask(client))))
    throw new Error("bad")
  })

  const travelled = trace.steps.filter(({ label }) => label.startsWith("net/") && label !== "net/bind")
  const pairs = travelled
    .filter(({ kind }) => kind === "deliver")
    .map(({ actor, from = "nobody" }) => `${from}>${actor}`)
  expect([...new Set(pairs)].sort()).toEqual(["ann>srv", "bob>srv", "srv>ann", "srv>bob"])
  expect(trace.steps.filter(({ kind }) => kind !== "deliver").flatMap(({ from = [] }) => from)).toEqual([])
})

// Seen to fail when steps of two clients counted as independent: of a lost update the diagram showed bob alone.
test("a diagram shows what both clients did, for they share the memory of the test", async () => {
  const trace = await failing(async (sim) => {
    let count = 0
    const add = async (): Promise<void> => {
      await sim.sleep(5)
      const seen = count
      await sim.sleep(5)
      count = seen + 1
    }
    await Promise.all(["ann", "bob"].map((client) => sim.as(client, add)))
    if (count < 2) throw new Error("an update is lost")
  })

  const message = explainFailure(trace)
  expect(message).toMatch(/participant p1 as ann\n\s+participant p2 as bob/)
  expect(message.match(/p1-->>p1|p2-->>p2/g)).toHaveLength(4)
  expect(message).toContain("What led to it:")
})

test("the diagram of a failure ends where it failed", async () => {
  const told = await explore({ runs: 5 }, async (sim) => {
    const server = await sim.startServer()
    await (await sim.fetch("ann")(`${server.url()}/models`)).text()
    throw new Error("bad")
  }).catch((error: Error) => error.message)

  const lines = String(told).trimEnd().split("\n")
  expect(lines.at(-1)).toMatch(/Note over p\d: ✗ bad/)
  expect(lines.at(-2)).toContain("net/data")
})
