import { expect, test } from "vitest"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
import { frames, proxyRun } from "./proxy-world.ts"

// Seen to fail when it is not asked again, where a frame begins to wait, whether its barrier is still closed.
test("a barrier that a watcher releases from within a step lets the frame go that is about to wait at it", async () => {
  const world = simStreamWorld()()
  const { proxy, through } = await proxyRun(world, {
    plan: {
      rules: [
        { direction: "both", match: { index: 1 }, action: { type: "delay", ms: 10 } },
        { direction: "c2u", match: { index: 2 }, action: { type: "hold", barrier: "gate" } },
        { direction: "u2c", match: { index: 2 }, action: "drop" }
      ]
    }
  })
  const { client, upstream } = await through()
  const bothWait = new Promise<void>((resolve) => {
    let waiting = 0
    proxy.watch((event) => {
      if (event.type === "frame" && event.action === "delayed") waiting += 1
      if (waiting === 2) resolve()
    })
  })
  await world.settled(
    Promise.all([bothWait, client.write(frames("one", "held")), upstream.write(frames("one", "dropped"))])
  )
  // Both directions have read their second frame, and go on in the same step.
  proxy.partition()
  proxy.watch((event) => {
    if (event.type === "connected") proxy.heal()
    if (event.type === "frame" && event.action === "dropped") proxy.release("gate")
  })
  await world.settled(new Promise<void>((resolve) => world.clock.arm(20, "test", resolve)))

  await through()
  await world.settled(upstream.has(frames("one", "held").length))

  expect(upstream.text()).toBe(frames("one", "held"))
  await world.settled(proxy.stop())
})
