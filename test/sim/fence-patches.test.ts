import { expect, test } from "vitest"
import { makePatches } from "../../src/sim/fence-patches.ts"

// Seen to throw at the frozen one, and to leave all that was put before it.
test("what was frozen while it was replaced stays, and all else is what it was", () => {
  const [first, frozen, last] = [{ ask: () => "real" }, { ask: () => "real" }, { ask: () => "real" }]
  const patches = makePatches(() => new WeakSet())
  for (const home of [first, frozen, last]) patches.method(home, "ask", () => () => "ours")
  patches.put()
  Object.freeze(frozen)

  patches.restore()
  expect([first.ask(), frozen.ask(), last.ask()]).toEqual(["real", "ours", "real"])

  patches.put()
  expect([first.ask(), frozen.ask(), last.ask()]).toEqual(["ours", "ours", "ours"])
  patches.restore()
  expect([first.ask(), frozen.ask(), last.ask()]).toEqual(["real", "ours", "real"])
})
