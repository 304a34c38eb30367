import { describe, expect, it } from "vitest"
import { barrierRace, lostWakeUp, openDoor, proveBarrier } from "./exhaustive/barrier-race.ts"
import { claimRace, lateClaim, proveClaim, silentLoss } from "./exhaustive/claim-race.ts"
import { type Proof, prove, told } from "./exhaustive/prove.ts"
import type { Race } from "./exhaustive/race.ts"
import { lateJoin, proveReplay, replayRace, shortCall } from "./exhaustive/replay-race.ts"
import type { Plant } from "./exhaustive/step-world.ts"

/** Not a bound on the search, which is as fast as its machine. */
const patienceMs = 300_000

/** Says what was proved, for the report of the run. */
const shown = (what: string, proof: Proof): Proof => {
  console.info(`${what}: ${told(proof)}`)
  return proof
}

const expectHolds = ({ complete, failures }: Proof): void =>
  expect({ complete, failures }).toEqual({ complete: true, failures: {} })

/** The most clients of one run that have this text. */
const ended = (proof: Proof, text: string): number =>
  Math.max(...[...proof.outcomes].map((outcome) => outcome.split(text).length - 1))

describe("All orders of a small case", () => {
  it(
    "show that three clients, one of which may leave, never claim one answer twice, and that losers get another",
    () => {
      const proof = shown("claim, 3 clients", proveClaim())

      expectHolds(proof)
      expect(ended(proof, '"the only answer"')).toBe(1)
    },
    patienceMs
  )

  it(
    "show the same of a client that leaves and asks again before the server knows that it left",
    () => {
      const proof = shown("claim, 2 clients and a retry", prove(claimRace({ clients: 2, retries: true })))

      expectHolds(proof)
      expect([...proof.outcomes].some((outcome) => outcome.includes('c0#2: 200 "the only answer"'))).toBe(true)
    },
    patienceMs
  )

  it(
    "show that three copies of one call get the same bytes and consume one answer, whoever leaves",
    () => {
      const proof = shown("replay, 3 copies", proveReplay())

      expectHolds(proof)
      // All of them overlap in some order; in another one comes when the call is over.
      expect(ended(proof, "first")).toBe(3)
      expect(ended(proof, "second")).toBeGreaterThan(0)
    },
    patienceMs
  )

  it(
    "show that no copy passes a barrier before its release, and that all that stay pass after",
    () => {
      const proof = shown("barrier, 3 copies", proveBarrier())

      expectHolds(proof)
      expect(ended(proof, "last")).toBe(3)
    },
    patienceMs
  )
})

const small: ReadonlyArray<readonly [name: string, race: Race]> = [
  ["a claim with a leaver", claimRace({ clients: 2 })],
  ["replays", replayRace({ clients: 2, leavers: 0 })],
  ["a barrier", barrierRace({ clients: 2, leavers: 0, events: ["last"] })]
]

describe("With two clients", () => {
  it.each(small)(
    "sleep sets and known states leave out no state and no outcome of %s",
    (name, race) => {
      const plain = shown(`${name}, plain`, prove(race, { ordersAlike: false, sleepSets: false, cachesStates: false }))

      for (const [sleepSets, cachesStates] of [
        [true, false],
        [false, true],
        [true, true]
      ] as const) {
        const means = [...(sleepSets ? ["sleep sets"] : []), ...(cachesStates ? ["known states"] : [])].join(" and ")
        const proof = shown(`${name}, ${means}`, prove(race, { ordersAlike: false, sleepSets, cachesStates }))

        expectHolds(proof)
        expect(proof.reached).toEqual(plain.reached)
        expect(proof.outcomes).toEqual(plain.outcomes)
        expect(proof.executions).toBeLessThan(plain.executions / 5)
      }
      expectHolds(plain)
      expect(plain.cut).toBe(0)
    },
    patienceMs
  )

  // A step from equal keys that leads to different ones throws.
  it.each([
    ["replays with a leaver", replayRace({ clients: 2 })],
    ["a barrier with a leaver", barrierRace({ clients: 2, events: ["last"] })]
  ])(
    "the key of a state of %s holds all that its steps read",
    (_, race) => {
      const orders = prove(race, { cachesStates: false })
      const states = prove(race)

      expectHolds(orders)
      expect(states.reached).toEqual(orders.reached)
      expect(states.outcomes).toEqual(orders.outcomes)
    },
    patienceMs
  )
})

const twoAlike: ReadonlyArray<readonly [name: string, race: Race, plant: Plant]> = [
  ["a claim with a leaver", claimRace(), {}],
  ["replays", replayRace({ clients: 2, leavers: 0 }), {}],
  ["a barrier", barrierRace({ clients: 2, leavers: 0 }), {}],
  ["a claim that is not atomic", claimRace({ clients: 2, leavers: 0 }), lateClaim],
  ["losers without an end", claimRace({ clients: 2, leavers: 0 }), silentLoss],
  ["a copy that misses what was said before", replayRace({ clients: 2, leavers: 0 }), lateJoin],
  ["a release that wakes one copy alone", barrierRace({ clients: 2, leavers: 0 }), lostWakeUp]
]

/** What a run came to when the last two of three clients, or the two of two, are called by each other's names. */
const swapped = (outcome: string, [one, other]: readonly [one: string, other: string]): string =>
  outcome
    .replaceAll(new RegExp(`${one}|${other}`, "g"), (name) => (name === one ? other : one))
    .split("\n")
    .sort()
    .join("\n")

describe("Clients that are alike", () => {
  // Seen to fail when nobody comes after the first, and when who may leave is given a turn as well.
  it.each(twoAlike)(
    "called in the order in which they arrive leave out no outcome and no failure of %s, but for names",
    (name, race, plant) => {
      const all = shown(`${name}, any order`, prove(race, { plant, ordersAlike: false }))
      const ordered = shown(`${name}, in order`, prove(race, { plant }))
      const alike = [`c${race.clients - 2}`, `c${race.clients - 1}`] as const

      expect([all.complete, ordered.complete]).toEqual([true, true])
      expect(Object.keys(ordered.failures)).toEqual(Object.keys(all.failures))
      const named = [...ordered.outcomes].flatMap((outcome) => [outcome, swapped(outcome, alike)])
      expect(new Set(named)).toEqual(all.outcomes)
      expect(ordered.states).toBeLessThan(all.states)
    },
    patienceMs
  )
})

const planted: ReadonlyArray<readonly [bug: string, race: Race, plant: Plant, found: string]> = [
  ["a claim that is not atomic", claimRace({ clients: 2 }), lateClaim, "two primaries of one expectation"],
  ["losers without an end", claimRace({ clients: 2 }), silentLoss, "a client that stayed has no whole answer"],
  ["a call that is over when its primary is", replayRace({ leavers: 0 }), shortCall, "a duplicate was no replay"],
  ["a copy that misses what was said before", replayRace({ clients: 2 }), lateJoin, "copies of one call differ"],
  ["a barrier that opens for the second copy", barrierRace({ clients: 2 }), openDoor, "a copy passed a closed barrier"],
  ["a release that wakes one copy alone", barrierRace({ clients: 2 }), lostWakeUp, "a copy is held at a barrier"]
]

describe("Planted bugs", () => {
  it.each(planted)(
    "%s: found",
    (bug, race, plant, found) => {
      const proof = shown(`planted, ${bug}`, prove(race, { plant }))

      expect(proof.complete).toBe(true)
      expect(Object.keys(proof.failures)).toContain(found)
      // Some orders hide it.
      expect(proof.executions).toBeGreaterThan(proof.failures[found] ?? 0)
    },
    patienceMs
  )
})
