import { describe, expect, test } from "vitest"
import { makeEventRing } from "../../src/proxy/event-ring.ts"
import type { ProxyEvent, ProxyFact } from "../../src/proxy/proxy-event.ts"

/*
 * Seen to fail when a run leaves the event that stood in its place, when the oldest is looked for at the first place of a full ring, and
 * when growing forgets what there is.
 */

const frame = (index: number, more: Partial<Extract<ProxyFact, { readonly type: "frame" }>> = {}): ProxyFact => ({
  type: "frame",
  connection: 3,
  direction: index % 2 === 0 ? "clientToLeader" : "leaderToClient",
  index,
  frames: 40,
  bytes: 2 ** 33 + index,
  action: "forwarded",
  rules: [],
  ...more
})

/** Runs, frames that rules are about, and other things, in no even order. */
const factOf = (place: number): ProxyFact => {
  if (place % 7 === 3) return frame(place, { action: "dropped", rules: ["rule-1"] })
  if (place % 11 === 5) return frame(place, { frames: 1, rules: ["rule-2"] })
  return place % 5 === 1 ? { type: "accepted", connection: place } : frame(place)
}

describe("The events that a proxy keeps", () => {
  test.each([0, 1, 63, 64, 65, 128, 199, 200, 201, 400, 777])("are the newest of %d, as they were told", (total) => {
    const eventsMax = 200
    const ring = makeEventRing(eventsMax)
    const told: Array<ProxyEvent> = []
    for (let place = 0; place < total; place++) {
      const at = place / 4
      ring.push(factOf(place), at)
      told.push({ ...factOf(place), at })
    }

    expect(ring.events()).toEqual(told.slice(-eventsMax))
  })

  test("are one where one may be kept", () => {
    const ring = makeEventRing(1)
    for (const index of [1, 2, 3]) ring.push(frame(index), index)

    expect(ring.events()).toEqual([{ ...frame(3), at: 3 }])
  })
})
