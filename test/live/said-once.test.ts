import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { isFirstOfRun } from "../../src/live/said-once.ts"

it("What is said once in a run of tests is said by whoever asks first", () => {
  const what = randomUUID()

  expect(isFirstOfRun(what, { VITEST: "true" })).toBe(true)
  expect(isFirstOfRun(what, { VITEST: "true" })).toBe(false)
  expect(isFirstOfRun(`${what} else`, { VITEST: "true" })).toBe(true)
})

it("A process that runs tests by itself says what it has to say", () => {
  const what = randomUUID()
  for (const _ of [1, 2]) expect(isFirstOfRun(what, {})).toBe(true)
})
