import { describe, expect, it } from "vitest"
import { barrierHolds } from "../../src/oracles/barrier.ts"
import { oneClaim } from "../../src/oracles/one-claim.ts"
import { replayFidelity } from "../../src/oracles/replay.ts"
import { requestsSettle } from "../../src/oracles/requests-settle.ts"
import { asked, by, decided, ended, over, phase, registered, settled, shapes, srv } from "./events.ts"

const primary = [registered("turn"), asked(1), decided(1, "expectation", "turn"), phase("turn", "Received")]

describe("one-claim", () => {
  it("is content when one request claims, another joins, and a third gets something else", () => {
    const events = [
      ...primary,
      decided(2, "replay", "turn"),
      decided(3, "mode"),
      ...[3, 2, 1].flatMap((request) => [settled(request), over(request)]),
      phase("turn", "Satisfied"),
      registered("turn"),
      decided(4, "expectation", "turn"),
      settled(4),
      ended(9)
    ]
    expect(shapes(oneClaim(), events)).toEqual([])
  })

  it("sees two primaries of one expectation", () => {
    expect(shapes(oneClaim(), [...primary, decided(2, "expectation", "turn")])).toEqual([
      "one-claim: two primaries of one expectation"
    ])
  })

  it("sees a claim of what was taken back", () => {
    const events = [registered("turn"), phase("turn", "Retired"), decided(1, "expectation", "turn")]
    expect(shapes(oneClaim(), events)).toEqual(["one-claim: a claim after the end"])
  })

  it("sees a request that is decided on twice, unless a test had held it", () => {
    expect(shapes(oneClaim(), [decided(1, "mode"), decided(1, "queue")])).toEqual([
      "one-claim: a request was decided on twice"
    ])
    expect(shapes(oneClaim(), [decided(1, "held"), decided(1, "queue")])).toEqual([])
  })

  it("sees a request that settles twice", () => {
    expect(shapes(oneClaim(), [...primary, settled(1), settled(1, "cancelled")])).toEqual([
      "one-claim: a request settled twice"
    ])
  })

  it("wants a definite answer for the loser, in time and without an accident", () => {
    const oracle = oneClaim({ answersWithinMs: 5 })
    const lost = [...primary, decided(2, "mode")]
    expect(shapes(oracle, [...lost, settled(1, "crossed", 6)])).toEqual(["one-claim: a loser got no answer"])
    expect(shapes(oracle, [...lost, settled(2, "crossed", 5), settled(1, "crossed", 60)])).toEqual([])
    expect(shapes(oracle, [...lost, over(2, { outcome: "server_error" })])).toEqual([
      "one-claim: a loser got no definite answer"
    ])
  })
})

describe("replay", () => {
  const arrived = (request: number, fingerprint: string | null) =>
    by("c1", 0, { type: "attempt.arrived", call: "a", attempt: request, request, fingerprint })
  const read = (request: number, body: string, how: "end" | "cut" = "end") =>
    by("c1", 1, { type: "answer.ended", call: "a", attempt: request, how, body })

  it("is content with a copy of an overlapping duplicate that has its bytes", () => {
    const events = [
      ...primary,
      arrived(1, "f"),
      decided(2, "replay", "turn"),
      arrived(2, "f"),
      arrived(3, "g"),
      decided(3, "mode"),
      ...[1, 2].flatMap((request) => [settled(request), over(request), read(request, "hello")]),
      decided(4, "mode"),
      arrived(4, "f")
    ]
    expect(shapes(replayFidelity(), events)).toEqual([])
  })

  it("sees a replay of a call that was over", () => {
    expect(shapes(replayFidelity(), [...primary, settled(1), decided(2, "replay", "turn")])).toEqual([
      "replay: a replay of a call that was over"
    ])
  })

  it("sees a replay of another's call, and of a request that has no identity", () => {
    for (const other of ["g", null]) {
      const events = [...primary, arrived(1, "f"), decided(2, "replay", "turn"), arrived(2, other)]
      expect(shapes(replayFidelity(), events)).toEqual(["replay: a replay of another's call"])
    }
  })

  it("sees a duplicate that began a call of its own, whichever is told first", () => {
    const duplicate = [arrived(2, "f"), registered("next", 2), decided(2, "expectation", "next")]
    expect(shapes(replayFidelity(), [...primary, arrived(1, "f"), ...duplicate])).toEqual([
      "replay: a duplicate was no replay"
    ])
    expect(shapes(replayFidelity(), [...primary, ...duplicate, arrived(1, "f")])).toEqual([
      "replay: a duplicate was no replay"
    ])
  })

  it("sees copies that differ, on the server's side and on the clients'", () => {
    const joined = [...primary, arrived(1, "f"), decided(2, "replay", "turn"), arrived(2, "f"), settled(1), settled(2)]
    expect(shapes(replayFidelity(), [...joined, over(1), over(2, { bytes: 11 })])).toEqual([
      "replay: copies of one call differ"
    ])
    expect(shapes(replayFidelity(), [...joined, read(1, "hello"), read(2, "hullo")])).toEqual([
      "replay: copies of one call differ"
    ])
    expect(shapes(replayFidelity(), [...joined, read(1, "hello"), read(2, "hel", "cut")])).toEqual([])
  })
})

describe("barrier", () => {
  const released = (barrier: string | null) => srv(5, { type: "barrier.released", expectation: "turn", barrier })
  const closed = (barrier: string) => by("test", 0, { type: "barrier.closed", expectation: "turn", barrier })
  const reached = (barrier: string, request = 1) =>
    srv(3, { type: "barrier.reached", request, expectation: "turn", barrier })
  const wentOn = (request = 1) => {
    const actor = 100 + request
    return srv(5, { type: "step", actor, chart: "copy", event: "barrier.opened", state: "x", handled: true })
  }
  const passed = ["barrier: a copy passed a closed barrier"]
  const claimed = primary.slice(1)
  const held = [registered("turn", 1, ["head", "terminal"]), ...claimed, decided(2, "replay", "turn")]

  it("is content when copies go on and cross after the releases", () => {
    const terminals = [reached("terminal"), reached("terminal", 2)]
    for (const release of [released("terminal"), released(null)]) {
      const heads = [reached("head"), released("head"), wentOn(), reached("head", 2), wentOn(2)]
      const events = [...held, ...heads, ...terminals, release, wentOn(), wentOn(2), settled(1), settled(2)]
      expect(shapes(barrierHolds(), events)).toEqual([])
    }
    expect(shapes(barrierHolds(), [...held, reached("head"), settled(1, "cancelled")])).toEqual([])
  })

  it("lets copies pass what was released before they came", () => {
    const events = [...held, released("terminal"), reached("head"), released("head"), wentOn(), reached("terminal")]
    expect(shapes(barrierHolds(), [...events, wentOn(), settled(1)])).toEqual([])
  })

  it("sees a primary or a replay that goes on or crosses before the release, by the server's own trace", () => {
    for (const request of [1, 2]) {
      expect(shapes(barrierHolds(), [...held, reached("head", request), wentOn(request)])).toEqual(passed)
      expect(shapes(barrierHolds(), [...held, settled(request)])).toEqual(passed)
    }
  })

  it("sees a second barrier that opens with the first", () => {
    const first = [...held, reached("head"), released("head"), wentOn(), reached("terminal")]
    expect(shapes(barrierHolds(), [...first, wentOn()])).toEqual(passed)
    expect(shapes(barrierHolds(), [...first, settled(1)])).toEqual(passed)
  })

  it("sees a first barrier that opens with the second, and one at which nobody stood", () => {
    expect(shapes(barrierHolds(), [...held, reached("head"), released("terminal"), wentOn()])).toEqual(passed)
    expect(shapes(barrierHolds(), [...held, reached("head"), released("terminal"), reached("terminal")])).toEqual(
      passed
    )
    expect(shapes(barrierHolds(), [...held, released("terminal"), settled(1)])).toEqual(passed)
  })

  it("sees a copy that passes one of two barriers, by what the test closed", () => {
    const events = [primary[0] ?? ended(0), closed("head"), closed("terminal"), ...claimed, released("head")]
    expect(shapes(barrierHolds(), [...events, settled(1)])).toEqual(passed)
    expect(shapes(barrierHolds(), [...events, released("terminal"), settled(1)])).toEqual([])
  })

  it("sees a client that has the end of a held answer, although the server says nothing", () => {
    const arrived = by("c1", 0, { type: "attempt.arrived", call: "a", attempt: 1, request: 1, fingerprint: null })
    const end = by("c1", 3, { type: "answer.ended", call: "a", attempt: 1, how: "end", body: "x" })
    expect(shapes(barrierHolds(), [...primary, closed("terminal"), arrived, end])).toEqual(passed)
    expect(shapes(barrierHolds(), [...held, arrived, reached("head"), end])).toEqual(passed)
  })

  it("does not hold a copy of an earlier expectation of that name", () => {
    const arrived = by("c1", 0, { type: "attempt.arrived", call: "a", attempt: 1, request: 1, fingerprint: null })
    const end = by("c1", 3, { type: "answer.ended", call: "a", attempt: 1, how: "end", body: "x" })
    const again = [settled(1), phase("turn", "Satisfied"), registered("turn", 2, ["terminal"])]
    expect(shapes(barrierHolds(), [...primary, arrived, ...again, end])).toEqual([])
  })
})

describe("requests-settle", () => {
  it("forgets what has ended", () => {
    expect(shapes(requestsSettle(), [...primary, settled(1), over(1), ended(9)])).toEqual([])
  })

  it("says what a request without an end waits for", () => {
    const open = (...more: Parameters<typeof shapes>[1]) => shapes(requestsSettle(), [...more, ended(9)])
    expect(open(asked(1))).toEqual(["liveness: a request has no answer"])
    expect(open(asked(1), decided(1, "held"))).toEqual(["liveness: a request is held"])
    expect(open(...primary)).toEqual(["liveness: a copy has not settled"])
    expect(open(...primary, settled(1))).toEqual(["liveness: an answer has no end"])
  })
})
