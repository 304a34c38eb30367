import { describe, expect, it } from "vitest"
import { arrivalBarrier } from "../../src/oracles/arrival-barrier.ts"
import { callsSettle } from "../../src/oracles/calls-settle.ts"
import { cancelled } from "../../src/oracles/cancel.ts"
import { noDeadlock } from "../../src/oracles/deadlock.ts"
import { resourcesClosed } from "../../src/oracles/resources-closed.ts"
import { resumeSuffix } from "../../src/oracles/resume-suffix.ts"
import { retryBudget } from "../../src/oracles/retry-budget.ts"
import type { RunFact } from "../../src/oracles/run-event.ts"
import { streamTermination } from "../../src/oracles/stream-termination.ts"
import { toolsOnce } from "../../src/oracles/tools-once.ts"
import { judgeRun } from "../../src/oracles/watch-run.ts"
import { by, ended, shapes } from "./events.ts"

const c1 = (at: number, fact: RunFact) => by("c1", at, fact)
const start = (at = 0) => c1(at, { type: "call.started", call: "a" })
const abort = (at: number) => c1(at, { type: "call.aborted", call: "a" })
const settle = (at: number, as: "completed" | "failed" = "completed") => c1(at, { type: "call.settled", call: "a", as })
const send = (attempt: number, at = 0) => c1(at, { type: "attempt.sent", call: "a", attempt })
const head = (attempt: number, at: number, status = 200, retryAfterMs: number | null = null) =>
  c1(at, { type: "attempt.answered", call: "a", attempt, status, isStream: status === 200, retryAfterMs })
const event = (at: number, text: string, { attempt = 1, position = null as number | null, isTerminal = false } = {}) =>
  c1(at, { type: "stream.event", call: "a", attempt, position, text, isTerminal })
const end = (at: number, how: "end" | "cut" = "end", attempt = 1) =>
  c1(at, { type: "answer.ended", call: "a", attempt, how, body: "" })

describe("cancel", () => {
  const oracle = cancelled({ settlesWithinMs: 10 })

  it("is content when an aborted call fails in time and is silent then", () => {
    expect(shapes(oracle, [start(), send(1), abort(5), event(6, "x"), settle(15, "failed"), ended(99)])).toEqual([])
    expect(shapes(oracle, [start(), settle(5), abort(6), send(2, 7), ended(99)])).toEqual([])
    expect(shapes(oracle, [start(), abort(5), settle(5), ended(99)])).toEqual([])
  })

  it("sees an abort that waits out the back-off", () => {
    expect(shapes(oracle, [start(), abort(5), settle(60_000, "failed")])).toEqual([
      "cancel: an aborted call has not settled"
    ])
  })

  it("sees an answer that comes after the abort", () => {
    expect(shapes(oracle, [start(), abort(5), settle(8)])).toEqual(["cancel: an answer after the abort"])
  })

  it.each([
    ["a request", send(2, 20)],
    ["an event", event(20, "x")],
    ["a tool", c1(20, { type: "tool.executed", call: "a", tool: "t1" })]
  ])("sees %s after the cancel was acknowledged", (what, effect) => {
    expect(shapes(oracle, [start(), abort(5), settle(6, "failed"), effect])).toEqual([
      `cancel: ${what} after the cancel was acknowledged`
    ])
  })
})

describe("retry-budget", () => {
  const oracle = retryBudget({ retriesMax: 2, toleranceMs: 5, totalMsMax: 60_000 })
  const limited = [start(), send(1), head(1, 10, 429, 1_000)]

  it("is content with retries that wait as long as they were asked to, and with giving up", () => {
    expect(shapes(oracle, [...limited, send(2, 1_006), head(2, 1_010, 500), send(3, 1_500), settle(2_000)])).toEqual([])
    expect(shapes(oracle, [...limited, settle(11, "failed"), ended(9_999)])).toEqual([])
  })

  it("sees one retry too many", () => {
    expect(shapes(oracle, [start(), send(1), send(2), send(3), send(4)])).toEqual([
      "retry-budget: more retries than allowed"
    ])
  })

  it("sees a request inside the forbidden window", () => {
    expect(shapes(oracle, [...limited, send(2, 1_004)])).toEqual([
      "retry-budget: a request in the window that Retry-After forbids"
    ])
  })

  it("lets a retry be as late as its client likes, unless a bound is asked for", () => {
    const bounded = retryBudget({ retriesMax: 2, lateMsMax: 100 })
    const late = "retry-budget: a retry later than Retry-After asks"

    expect(shapes(oracle, [...limited, send(2, 1_110), settle(1_200)])).toEqual([])
    expect(shapes(bounded, [...limited, send(2, 1_110), settle(1_200)])).toEqual([])
    expect(shapes(bounded, [...limited, send(2, 1_111), settle(1_200)])).toEqual([late])
  })

  it("keeps the other calls of an actor out of the window where it is asked to", () => {
    const other = c1(500, { type: "attempt.sent", call: "b", attempt: 1 })
    expect(shapes(oracle, [...limited, other])).toEqual([])
    expect(shapes(retryBudget({ retriesMax: 2, windowOf: "actor" }), [...limited, other])).toEqual([
      "retry-budget: a request in the window that Retry-After forbids"
    ])
  })

  it("sees a call that takes too long, and a request after it settled", () => {
    expect(shapes(oracle, [start(), send(1), settle(60_001)])).toEqual([
      "retry-budget: a call took longer than allowed"
    ])
    expect(shapes(oracle, [start(), send(1), settle(5), send(2, 6)])).toEqual([
      "retry-budget: a request after the call had settled"
    ])
  })
})

describe("stream-termination", () => {
  const oracle = streamTermination()
  const last = (at: number) => event(at, "[DONE]", { isTerminal: true })
  const begun = [start(), send(1), head(1, 1), event(2, "x")]

  it("is content with one last event, and with a call that fails when there is none", () => {
    expect(shapes(oracle, [...begun, last(3), end(4), settle(4)])).toEqual([])
    expect(shapes(oracle, [...begun, end(4, "cut"), settle(4, "failed")])).toEqual([])
    expect(shapes(oracle, [...begun, end(4, "cut"), send(2, 5), head(2, 6, 500), settle(7)])).toEqual([])
  })

  it("sees a second last event, an event after the last, and one after the end", () => {
    expect(shapes(oracle, [...begun, last(3), last(4)])).toEqual(["stream-termination: two last events"])
    expect(shapes(oracle, [...begun, last(3), event(4, "y")])).toEqual(["stream-termination: an event after the last"])
    expect(shapes(oracle, [...begun, end(4), event(5, "y")])).toEqual(["stream-termination: an event after the end"])
  })

  it.each(["end", "cut", null] as const)("sees a truncated stream (%s) that is taken for complete", (how) => {
    const events = how === null ? begun : [...begun, end(4, how)]
    expect(shapes(oracle, [...events, settle(5)])).toEqual([
      "stream-termination: a truncated stream taken for complete"
    ])
  })
})

describe("resources", () => {
  const open = (kind: string, resource: string) => c1(1, { type: "resource.opened", kind, resource })
  const close = (kind: string, resource: string) => c1(2, { type: "resource.closed", kind, resource })

  it("is content when all is closed, or the run was cut short", () => {
    expect(shapes(resourcesClosed(), [open("socket", "1"), close("socket", "1"), ended(3)])).toEqual([])
    expect(shapes(resourcesClosed(), [open("socket", "1")])).toEqual([])
  })

  it("names what is left, and is the same failure when less is left", () => {
    const [found] = judgeRun([resourcesClosed()], [open("timer", "reconnect"), open("socket", "1"), ended(3)])
    expect(found).toMatchObject({
      shape: "a socket is left open",
      message: "left open at the end: timer reconnect (c1, since 1 ms), socket 1 (c1, since 1 ms)"
    })
    expect(shapes(resourcesClosed(), [open("socket", "7"), ended(3)])).toEqual(["resources: a socket is left open"])
  })

  it.each(["socket", "listener", "timer", "fiber", "file"])("sees a %s", (kind) => {
    expect(shapes(resourcesClosed(), [open(kind, "1"), ended(3)])).toEqual([`resources: a ${kind} is left open`])
  })
})

describe("tools-once", () => {
  const run = (actor: string, tool: string) => by(actor, 1, { type: "tool.executed", call: "a", tool })
  const done = (actor: string, tool: string) => by(actor, 2, { type: "tool.settled", call: "a", tool })

  it("is content with each tool call once", () => {
    expect(
      shapes(toolsOnce(), [run("c1", "t1"), run("c1", "t2"), done("c1", "t1"), done("c1", "t2"), ended(9)])
    ).toEqual([])
    expect(shapes(toolsOnce(), [run("c1", "t1"), run("c2", "t1")])).toEqual([])
  })

  it("sees a tool call that is executed again, of one actor or of the run", () => {
    expect(shapes(toolsOnce(), [run("c1", "t1"), done("c1", "t1"), run("c1", "t1")])).toEqual([
      "tools-once: a tool call was executed twice"
    ])
    expect(shapes(toolsOnce({ within: "run" }), [run("c1", "t1"), run("c2", "t1")])).toEqual([
      "tools-once: a tool call was executed twice"
    ])
  })

  it("sees one that never settles", () => {
    expect(shapes(toolsOnce(), [run("c1", "t1"), ended(9)])).toEqual(["liveness: a tool call has not settled"])
  })
})

describe("resume", () => {
  const full = c1(0, { type: "stream.full", call: "a", texts: ["one", "two", "three", "[DONE]"] })
  const resume = (after: number) => c1(5, { type: "stream.resumed", call: "a", attempt: 2, after })
  const at = (position: number, text: string, isTerminal = false) => event(6, text, { position, isTerminal })
  const first = [full, send(1), at(0, "one"), at(1, "two"), send(2)]

  it("is content when a stream goes on where it stopped", () => {
    expect(shapes(resumeSuffix(), [...first, resume(1), at(2, "three"), at(3, "[DONE]", true)])).toEqual([])
    expect(shapes(resumeSuffix(), [event(0, "no position"), event(1, "no position")])).toEqual([])
  })

  it.each([
    ["an event came twice", [resume(1), at(1, "two")]],
    ["an event was lost", [resume(1), at(3, "[DONE]", true)]],
    ["bytes differ from the full stream", [resume(1), at(2, "thr")]],
    ["the end came before all events", [resume(1), at(2, "three", true)]],
    ["resumed from the wrong place", [resume(0)]],
    ["an event came twice", [at(0, "one")]]
  ])("sees that %s", (shape, events) => {
    expect(shapes(resumeSuffix(), [...first, ...events])).toEqual([`resume: ${shape}`])
  })
})

describe("arrival-barrier", () => {
  const arrive = (actor: string, at = 0, parties = 3) =>
    by(actor, at, { type: "party.arrived", barrier: "gate", parties })
  const pass = (actor: string, at = 0) => by(actor, at, { type: "party.passed", barrier: "gate" })
  const leave = (actor: string) => by(actor, 0, { type: "party.left", barrier: "gate" })
  const oracle = arrivalBarrier({ passWithinMs: 5 })

  it("is content when all pass after the last has come, also when one had crashed and another came", () => {
    const all = [
      arrive("c1"),
      arrive("c2"),
      arrive("c3", 90),
      pass("c2", 95),
      pass("c1", 95),
      pass("c3", 95),
      ended(99)
    ]
    expect(shapes(oracle, all)).toEqual([])
    const crashed = [arrive("c1"), arrive("c2"), leave("c1"), arrive("c3"), arrive("c4")]
    expect(shapes(oracle, [...crashed, pass("c2"), pass("c3"), pass("c4"), ended(9)])).toEqual([])
  })

  it("sees one that passes before all are there together", () => {
    expect(shapes(oracle, [arrive("c1"), arrive("c2"), pass("c1")])).toEqual([
      "arrival-barrier: a party passed before all were there"
    ])
    expect(shapes(oracle, [arrive("c1"), arrive("c2"), leave("c1"), arrive("c3"), pass("c2")])).toEqual([
      "arrival-barrier: a party passed before all were there"
    ])
  })

  it("sees one that is held when all have come, and says how many are missing when they have not", () => {
    const all = [arrive("c1"), arrive("c2"), arrive("c3", 9), pass("c1", 9), pass("c2", 9)]
    expect(shapes(oracle, [...all, pass("c3", 15)])).toEqual([
      "arrival-barrier: a party is held at an open arrival barrier"
    ])
    const [found] = judgeRun([oracle], [arrive("c1"), arrive("c2"), leave("c2"), ended(50)])
    expect(found?.message).toBe('these wait for ever: c1 waits for 2 more at arrival barrier "gate"')
  })
})

describe("deadlock", () => {
  const wait = (actor: string, waitsFor: string) => by(actor, 1, { type: "wait.began", waitsFor })
  const go = (actor: string) => by(actor, 2, { type: "wait.ended" })

  it("is content with waits that end, or that go round at different times", () => {
    expect(
      shapes(noDeadlock(), [wait("a", "b"), wait("b", "c"), go("b"), go("a"), wait("b", "a"), go("b"), ended(9)])
    ).toEqual([])
  })

  it("sees a cycle when it closes, and says who waits for whom", () => {
    const [found] = judgeRun([noDeadlock()], [wait("x", "a"), wait("a", "b"), wait("b", "c"), wait("c", "a")])
    expect(found).toMatchObject({
      oracle: "deadlock",
      shape: "a cycle of waits",
      message: "a waits for b, which waits for c, which waits for a: a cycle",
      events: 4
    })
  })

  it("sees at the end who waits for somebody that does not come", () => {
    const [found] = judgeRun([noDeadlock()], [wait("x", "a"), wait("a", "the test"), ended(9)])
    expect(found?.message).toBe("these wait for ever: x waits for a, which waits for the test")
  })
})

describe("calls-settle", () => {
  it("wants every call settled once", () => {
    expect(shapes(callsSettle(), [start(), settle(1), ended(2)])).toEqual([])
    expect(shapes(callsSettle(), [start(), settle(1), settle(2, "failed")])).toEqual([
      "calls-settle: a call settled twice"
    ])
  })

  it.each([
    ["its client, to send a request", []],
    ["the server, to see attempt 1 of c1/a", [send(1)]],
    ["its client, after attempt 1 was over", [send(1), end(3, "cut")]]
  ])("says that a lost turn waits for %s", (what, events) => {
    const [found] = judgeRun([callsSettle()], [start(), ...events, ended(9)])
    expect(found?.message).toBe(`these wait for ever: c1/a waits for ${what}`)
  })
})
