import fc from "fast-check"
import { expect, test } from "vitest"
import { readPlan } from "../src/proxy/plan/read-plan.ts"
import { writeRule } from "../src/proxy/plan/write-rule.ts"
import { type Arrival, type Delivery, deliver, hex, planOf, receiver, seededPlan } from "../test/proxy/plan/deliver.ts"
import { arrivals, programs, shortPlans } from "../test/proxy/plan/plans.ts"
import { checkProperty } from "./check.ts"

const hexes = (seen: ReadonlyArray<Delivery>): ReadonlyArray<string> => seen.map((one) => one.hex)
const sent = (frames: ReadonlyArray<Arrival>): ReadonlyArray<string> => frames.map(({ bytes }) => hex(bytes))
const index = fc.nat(9)

// Seen to fail when indexes count from 0, and when there is one copy more.
test("X4. a dropped frame is missing, a duplicated one is there twice in a row, and all others are as they were", () => {
  const property = fc.property(arrivals, index, (frames, n) => {
    const all = sent(frames)

    expect(hexes(deliver(planOf({ dropFrame: n }), frames))).toEqual(all.filter((_, place) => place !== n - 1))
    expect(hexes(deliver(planOf({ duplicateFrame: n }), frames))).toEqual(
      all.flatMap((frame, place) => (place === n - 1 ? [frame, frame] : [frame]))
    )
  })
  checkProperty("proxy plan, drop and duplicate", property)
})

// Seen to fail when a delay is 1 ms short, and when one of a frame is that of all behind it too.
test("X5. a delay keeps the order, is exact, and touches no frame before it", () => {
  const property = fc.property(arrivals, index, fc.nat(300), (frames, frame, ms) => {
    const seen = deliver(planOf({ delay: { frame, ms } }), frames)

    expect(hexes(seen)).toEqual(sent(frames))
    const delayed = frame === 0 ? undefined : frames[frame - 1]
    const readyMs = delayed === undefined ? 0 : delayed.atMs + ms
    expect(seen.map(({ atMs }) => atMs)).toEqual(
      frames.map(({ atMs }, place) => (frame === 0 || place < frame - 1 ? atMs : Math.max(atMs, readyMs)))
    )
  })
  checkProperty("proxy plan, delay", property)
})

// Seen to fail when a whole frame can be the prefix, and when half of the frame is taken for half of the header.
test("X6. a sever ends the stream with a strict prefix of its frame: two bytes, or those that the plan says", () => {
  const afterBytes = fc.option(fc.nat(12), { nil: undefined })
  const property = fc.property(arrivals, index, afterBytes, (frames, frame, bytes) => {
    const severMidFrame = bytes === undefined ? frame : { frame, afterBytes: bytes }
    const all = sent(frames)
    const cut = frame === 0 ? undefined : all[frame - 1]

    const seen = hexes(deliver(planOf({ severMidFrame }), frames))

    const prefix = cut?.slice(0, Math.min(2 * (bytes ?? 2), cut.length - 2))
    expect(seen).toEqual(prefix === undefined ? all : [...all.slice(0, frame - 1), prefix])
  })
  checkProperty("proxy plan, sever", property)
})

// Seen to fail when rules are taken for both directions.
test("X8. the direction without rules gets every frame as it came", () => {
  const property = fc.property(arrivals, programs(fc.constant("c2u")), fc.nat(), (frames, program, seed) => {
    const seen = deliver(seededPlan(program, seed), frames, { direction: "leaderToClient" })

    expect(seen).toEqual(frames.map(({ bytes, atMs }) => ({ hex: hex(bytes), atMs })))
  })
  checkProperty("proxy plan, other direction", property)
})

/** The rule of section 6.3 as it is written, for what becomes of frame `n` of the plan with four faults. */
const expected = (
  { dropFrame, severMidFrame, delay, duplicateFrame }: Readonly<Record<string, unknown>>,
  n: number
): string => {
  const parts = readPlan({ severMidFrame, delay }).rules
  const [sever] = parts.filter(({ id, match }) => id === "severMidFrame" && match.index === n)
  const [held] = parts.filter(({ id, match }) => id === "delay" && match.index === n)
  if (dropFrame === n) return "drop"
  if (sever !== undefined) return "sever"
  const ms = held?.action.type === "delay" ? held.action.ms : 0
  return `${duplicateFrame === n ? 2 : 1} after ${ms}`
}

// Seen to fail when sever wins over drop, and when a delay is doubled beside other faults.
test("X11. drop wins over sever, sever over the rest, and a delay is made once for all copies, in whatever order the rules stand", () => {
  const order = fc.array(fc.nat(), { minLength: 4, maxLength: 4 })
  const property = fc.property(arrivals, shortPlans, order, (frames, plan, keys) => {
    const { rules } = readPlan(plan)
    const shuffled = rules.map((rule, place) => ({ rule, key: keys[place] ?? 0 })).sort((a, b) => a.key - b.key)

    for (const source of [plan, { rules: shuffled.map(({ rule }) => rule) }]) {
      const { push, decisions } = receiver(planOf(source).lane({ direction: "clientToLeader", connection: 1 }))
      frames.forEach(push)

      const became = decisions.map((decision) =>
        decision.kind === "forward" ? `${decision.writes.length} after ${decision.delayMs}` : decision.kind
      )
      expect(became).toEqual(became.map((_, place) => expected(plan, place + 1)))
      expect(became.includes("sever") || became.length === frames.length).toBe(true)
    }
  })
  checkProperty("proxy plan, precedence", property, { runs: 300 })
})

// Seen to fail when draws follow the order of asking, and when `times` counts over all connections.
test("X19. what is delivered follows from input, program and seed, however connections and directions take turns", () => {
  const places = [1, 2].flatMap((connection) =>
    (["clientToLeader", "leaderToClient"] as const).map((direction) => ({ connection, direction }))
  )
  const turns = fc.array(fc.nat(3), { maxLength: 40 })
  const property = fc.property(arrivals, programs(), fc.nat(), turns, (frames, program, seed, order) => {
    const alone = places.map((place) => deliver(seededPlan(program, seed), frames, place))
    const plan = seededPlan(program, seed)
    const receivers = places.map((place) => ({ ...receiver(plan.lane(place)), left: [...frames] }))

    for (const turn of [...order, ...frames.flatMap(() => [3, 1, 2, 0])]) {
      const chosen = receivers[turn]
      const next = chosen?.left.shift()
      if (next !== undefined) chosen?.push(next)
    }
    for (const { end } of receivers) end()

    expect(receivers.map(({ seen }) => seen)).toEqual(alone)
  })
  checkProperty("proxy plan, reproducible", property, { runs: 300 })
})

// Seen to fail when a frame that another waits for is left out, and when a rule for the next byte counts as spent.
test("frames that a plan needs nothing of go on as if they had been decided", () => {
  const property = fc.property(arrivals, programs(), fc.nat(), (frames, program, seed) => {
    const decided = deliver(seededPlan(program, seed), frames)

    expect(deliver(seededPlan(program, seed), frames, { asksFirst: true })).toEqual(decided)
  })
  checkProperty("proxy plan, needs", property, { runs: 300 })
})

// Seen to fail when every duplicate is read as three copies.
test("a plan that was read is read again to an equal one, short or not", () => {
  const property = fc.property(fc.oneof(shortPlans, programs()), (plan) => {
    const read = readPlan(plan)

    expect(readPlan(read)).toEqual(read)
  })
  checkProperty("proxy plan, reading", property)
})

// Seen to fail when what is 0 is left out, and when bytes that are no text are written as one.
test("a rule that is written as JSON is read again to an equal one", () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 6 })
  const injecting = bytes.map((own) => ({ rules: [{ match: { index: 0 }, action: { type: "inject", bytes: own } }] }))
  const property = fc.property(fc.oneof(shortPlans, programs(), injecting), (plan) => {
    const { rules } = readPlan(plan)
    const written: unknown = JSON.parse(JSON.stringify(rules.map(writeRule)))

    expect(readPlan({ rules: written })).toEqual({ rules })
  })
  checkProperty("proxy plan, writing", property)
})
