import { expect, test } from "vitest"
import type { Transition } from "../../../src/domain/transition.ts"
import { simHarness } from "./sim-harness.ts"

test("who watches a harness sees every step of its charts, until the watch ends", async () => {
  const { scope, run, settled } = simHarness()
  const seen: Array<Transition> = []
  const stop = run.watchTransitions((transition) => seen.push(transition))
  const process = await settled(scope.spawn({ program: "/agent", cwd: "/", environment: {} }))
  stop()
  await settled(process.close())

  expect(seen.map(({ chart, event, state }) => `${chart} ${event} -> ${state}`)).toContain(
    "owned-process spawned -> owned.running"
  )
  expect(seen.some(({ event }) => event === "close")).toBe(false)
  await settled(scope.close())
})
