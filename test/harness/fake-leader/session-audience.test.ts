import { expect, test } from "vitest"
import { makeSessionAudience } from "../../../src/harness/fake-leader/session-audience.ts"

test("who prompted last drives a session, or else who came first of those that are there", () => {
  const audience = makeSessionAudience()
  expect([audience.follow(1, "s"), audience.follow(2, "s"), audience.follow(1, "s")]).toEqual([true, true, false])
  expect(audience.driver("s")).toBe(1)
  audience.drive(2, "s")
  audience.follow(2, "s")
  expect([audience.driver("s"), audience.followers("s")]).toEqual([2, [1, 2]])
  audience.drive(3, "s")
  audience.leaveAll(3)
  expect(audience.driver("s")).toBe(2)
  audience.leave(2, "s")
  audience.leave(1, "s")
  expect([audience.driver("s"), audience.followers("s")]).toEqual([null, []])
})
