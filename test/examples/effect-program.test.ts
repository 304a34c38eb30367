import { Effect, Ref } from "effect"
import { inferenceServer, simRuntime } from "llm-understudy/effect"
import { explore, type SimWorld, simTest } from "llm-understudy/sim"
import { expect, test } from "vitest"

type Take = (left: Ref.Ref<number>) => Effect.Effect<boolean>

const inOneStep: Take = Ref.modify((left) => (left > 0 ? [true, left - 1] : [false, left]))

const inTwoSteps: Take = Effect.fnUntraced(function* (budget) {
  const left = yield* Ref.get(budget)
  if (left > 0) yield* Ref.set(budget, left - 1)
  return left > 0
})

/** Three workers share a budget of two calls. */
const spend = Effect.fnUntraced(function* (sim: SimWorld, take: Take) {
  const server = yield* inferenceServer()
  const budget = yield* Ref.make(2)
  const call = Effect.promise(() =>
    sim.fetch("agent")(`${server.url()}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "tide-1", messages: [{ role: "user", content: "ping" }] })
    })
  )
  const worker = Effect.flatMap(take(budget), (isMine) => (isMine ? Effect.asVoid(call) : Effect.void))
  yield* Effect.all([worker, worker, worker], { concurrency: "unbounded" })
  return server.requests().length
}, Effect.scoped)

const calls = (sim: SimWorld, take: Take) =>
  simRuntime(sim, { actor: "agent", preempts: true }).runPromise(spend(sim, take))

simTest("a budget that is lowered in one step is never overdrawn", { runs: 100 }, async (sim) => {
  expect(await calls(sim, inOneStep)).toBe(2)
})

test("the same search finds a budget that is read before it is lowered", async () => {
  const searched = explore({ runs: 300 }, async (sim) => expect(await calls(sim, inTwoSteps)).toBe(2))

  await expect(searched).rejects.toThrow(
    /expected 3 to be 2[\s\S]*1 choice is not calm: step \d+, .*: effect\/agent\/\d/
  )
})
