import { createServer } from "node:http"
import { expect, test } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { explore } from "../../src/sim.ts"
import { failureOf } from "./sim-tests.ts"

/** Fails when both of its choices are not calm. */
const twice: SimProgram = async (sim) => {
  await sim.sleep(5)
  const first = sim.choice.draw(3, "first")
  await sim.sleep(5)
  if (first > 0 && sim.choice.draw(3, "second") > 0) throw new Error("twice")
}

const told = async (...run: Parameters<typeof explore>): Promise<string> => (await failureOf(explore(...run))).message

// Seen to fail while it said "test takes 1 at 0", of forks and places that nobody knows.
test("A failure says when each choice was made, and of what", async () => {
  expect(await told({ runs: 50, seed: 3 }, twice)).toMatch(
    /seed 3; 2 choices are not calm:\n {2}step 1, 5 ms: test\/first was 1 of 0 to 2\n {2}step 2, 10 ms: test\/second was 1 of 0 to 2\nSIM_REPLAY/
  )
})

// Seen to say "failed before".
test("A failure with choices that the option first gives says so", async () => {
  const message = await told({ runs: 5, first: [{ test: [1, 1] }] }, twice)

  expect(message).toContain("twice\nfails with choices that the option first gives (seed 0); 2 choices are not calm:")
})

// Seen to fail with "# requests were sent".
test("A law's own message is the headline as it is", async () => {
  const few = {
    name: "few",
    init: () => 0,
    on: (event: { readonly type: string }, count: number) => count + (event.type === "told" ? 1 : 0),
    fail: (count: number) => (count > 1 ? `${count} facts were told; "one" is enough` : undefined)
  }
  const message = await told({ runs: 2, judge: { oracles: [few], isBare: true } }, async (sim) => {
    await sim.sleep(1)
    for (const what of ["a", "b"]) sim.tell({ type: "told", what })
  })

  expect(message).toMatch(/^few: 2 facts were told; "one" is enough\nat 1 ms, few: 2 facts/)
  expect(message).toContain('✗ few: 2 facts were told, "one" is enough')
})

// Seen to fail with "the answer to ann/request 1 is cut".
test("A connect that is refused is no answer that is cut", async () => {
  const message = await told({ runs: 1 }, async (sim) => {
    await sim.serve(createServer())
    await sim.fetch("ann")("http://127.0.0.1:9/models")
  })

  expect(message).toMatch(/^fetch failed \(connect ECONNREFUSED 127\.0\.0\.1:9\)\n/)
  expect(message).toContain("(attempt 1 of ann/request 1 fails)")
})

// Seen to fail while no place was told.
test("A tool that is executed twice is told with both places that asked for it", async () => {
  const message = await told({ runs: 1, judge: {} }, (sim) =>
    sim.call("ann", async (call) => {
      await call.tool("c1", () => "x")
      await call.tool("c1", () => "x")
    })
  )

  const places = [...message.matchAll(/for ann\/call 1, by test\/campaign\/failure-text\.test\.ts:(\d+):\d+/g)]
  expect(message).toMatch(/^tools-once: a tool call was executed twice\n/)
  expect(places.map(([, line]) => Number(line)).reduce((one, other) => other - one)).toBe(1)
})

// Seen to fail with "Cannot read properties of undefined", and to find nothing.
test("A law whose on gives no state back says so", async () => {
  const lost = {
    name: "lost",
    init: () => ({ facts: 0 }),
    on(event: { readonly type: string }, state: { facts: number }) {
      if (event.type === "told") state.facts++
    },
    fail: () => undefined
  }
  const untyped: object = { runs: 1, judge: { oracles: [lost], isBare: true } }

  expect(await told(untyped, async (sim) => sim.tell({ type: "told", what: "a" }))).toMatch(
    /^lost: on throws TypeError: on gave undefined: give the state back\n/
  )
})
