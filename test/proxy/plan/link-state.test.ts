import { expect, test } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import {
  closedBarriers,
  flowOf,
  forgetConnection,
  heal,
  type LinkState,
  partition,
  pause,
  release,
  releasedMax,
  resume,
  vanish,
  wholeLink
} from "../../../src/proxy/plan/link-state.ts"

const flows = (state: LinkState) =>
  [1, 11].flatMap((connection) =>
    (["clientToLeader", "leaderToClient"] as const).map((direction) => flowOf(state, { connection, direction }))
  )

test("a partition stops directions until it is healed, and leaves pauses", () => {
  const cut = pause(partition(wholeLink, ["clientToLeader"]), "leaderToClient", 11)

  expect(flows(cut)).toEqual(["stopped", "open", "stopped", "stopped"])
  expect(flows(heal(cut))).toEqual(["open", "open", "open", "stopped"])
  expect(flows(partition(wholeLink))).toEqual(["stopped", "stopped", "stopped", "stopped"])
})

test("a pause is ended for one connection or for all", () => {
  const paused = pause(pause(wholeLink, "clientToLeader", 1), "clientToLeader", 11)

  expect(flows(resume(paused, "clientToLeader", 1))).toEqual(["open", "open", "stopped", "open"])
  expect(resume(paused, "clientToLeader")).toEqual(wholeLink)
  expect(flows(pause(wholeLink, "leaderToClient"))).toEqual(["open", "stopped", "open", "stopped"])
})

test("a connection that vanished is silent both ways, until it is forgotten", () => {
  const gone = vanish(pause(wholeLink, "clientToLeader", 1), 1)

  expect(flows(gone)).toEqual(["silent", "silent", "open", "open"])
  expect(forgetConnection(gone, 1)).toEqual(wholeLink)
})

test("a barrier that was released stays open", () => {
  expect(closedBarriers(release(wholeLink, "a"), ["a", "b"])).toEqual(["b"])
  expect(release(release(wholeLink, "a"), "a")).toEqual(release(wholeLink, "a"))
})

// Seen to fail when the oldest are forgotten: frames would wait at them again.
test("so many barriers stay open, and no more are opened", () => {
  let state = wholeLink
  for (let place = 0; place < releasedMax; place++) state = release(state, `b${place}`)

  expect(() => release(state, "more")).toThrow(InvalidOption)
  expect(release(state, "b0")).toBe(state)
  expect(closedBarriers(state, ["b0", `b${releasedMax - 1}`, "more"])).toEqual(["more"])
})

// A change is told to every pump, so that one for each close of many connections takes time that grows with their square.
test("to forget a connection of which nothing is known is the same state", () => {
  const state = pause(wholeLink, "clientToLeader", 1)

  expect(forgetConnection(state, 11)).toBe(state)
  expect(forgetConnection(state, 1)).not.toBe(state)
})
