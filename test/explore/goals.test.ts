import { expect, test } from "vitest"
import { GoalsMissed, namesReached } from "../../src/explore/goals.ts"

// Seen to fail while only the missed goals were named.
test("Goals that were missed stand beside those that were reached", () => {
  const { message } = new GoalsMissed(
    ["a retry"],
    5,
    namesReached({ "a retry": 0, "a retri": 3, "a cut": 1, never: 0 })
  )

  expect(message).toBe(
    '5 runs never reached:\n  a retry\nThey reached "a retri", "a cut"\nLet them run longer, or make it likelier'
  )
})
