import { describe, expect, test, vi } from "vitest"
import type * as Expectations from "../../src/inference/expectation.ts"
import type { SimWorld } from "../../src/sim.ts"
import { fetchOver } from "./fetch-over.ts"
import { answer, auxiliary, judged, posted } from "./judged-worlds.ts"

const plant = vi.hoisted(() => ({ isOn: false }))

/** Planted: who was held at one barrier passes the next ones. */
vi.mock("../../src/inference/expectation.ts", async (importOriginal) => {
  const real = await importOriginal<typeof Expectations>()
  const seen = new WeakSet<object>()
  const arriveAtBarrier: typeof real.arriveAtBarrier = (expectation, copy, options) => {
    const isSecond = seen.has(copy)
    seen.add(copy)
    real.arriveAtBarrier(expectation, copy, options)
    if (plant.isOn && isSecond) expectation.data.book.supervisor.deliver(copy, { type: "barrier.opened" })
  }
  return { ...real, arriveAtBarrier }
})

describe.each(["messages", "bytes"] as const)("An answer over %s with two barriers", (over) => {
  const heldTwice = async (sim: SimWorld): Promise<void> => {
    const server = await sim.startServer({ over })
    const turn = server.expectResponse("weather", auxiliary, answer("calm sea"), {
      barriers: [{ at: { afterEvent: 1 }, name: "middle" }, { at: "terminal" }]
    })
    void sim.sleep(100).then(() => turn.release("middle"))
    void sim.sleep(200).then(() => turn.release())
    const fetch = fetchOver(sim, over, "ann")
    await sim.call("ann", async () => (await fetch(`${server.url()}/chat/completions`, posted)).text())
  }

  test("is nobody's business when each is released before it is passed", async () => {
    plant.isOn = false
    expect(await judged({}, heldTwice)).toBe("nothing")
  })

  // Passed while an expectation counted as released from its first release on.
  test("is judged at the second by itself", async () => {
    plant.isOn = true
    expect(await judged({}, heldTwice)).toContain(
      'barrier: request 1 went on before barrier "terminal" of "weather" was released'
    )
  })
})
