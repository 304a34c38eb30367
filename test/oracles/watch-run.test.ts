import { describe, expect, it } from "vitest"
import { callsSettle } from "../../src/oracles/calls-settle.ts"
import type { Monitor } from "../../src/oracles/monitor.ts"
import { requestsSettle } from "../../src/oracles/requests-settle.ts"
import { checkViolations, isSameFailure, OracleViolated, signatureOf } from "../../src/oracles/violation.ts"
import { judgeRun, watchRun } from "../../src/oracles/watch-run.ts"
import { asked, by, decided, ended, phase, registered, shapes, srv, stopped } from "./events.ts"

const started = (actor: string, at: number) => by(actor, at, { type: "call.started", call: "a" })
const done = (actor: string, at: number) => by(actor, at, { type: "call.settled", call: "a", as: "completed" })

/** Counts the starts of calls; two are too many. */
const atMostOne: Monitor<number> = {
  name: "at-most-one",
  init: () => 0,
  on: (event, count) => (event.type === "call.started" ? count + 1 : count),
  fail: (count) => (count > 1 ? `client "c${count}" is number ${count}` : undefined)
}

describe("A watched run", () => {
  it("judges a monitor at every event, and reports its first failure with place and time", () => {
    const run = watchRun([atMostOne])
    run.see(started("c1", 3))
    expect(run.violations()).toEqual([])

    run.see(started("c2", 7))
    run.see(started("c3", 9))
    expect(run.violations()).toEqual([
      { oracle: "at-most-one", shape: 'client "" is number #', message: 'client "c2" is number 2', at: 7, events: 2 }
    ])
  })

  it("reports a deadline at the moment that it passed, when the next event is later", () => {
    const oracle = callsSettle({ settlesWithinMs: 10 })
    expect(judgeRun([oracle], [started("c1", 5), done("c1", 15)])).toEqual([])
    expect(judgeRun([oracle], [started("c1", 5), started("c2", 40)])).toMatchObject([
      { oracle: "calls-settle", shape: "a call has not settled", at: 15, events: 1 }
    ])
  })

  it("reports of each oracle what it found first", () => {
    const oracle = callsSettle({ settlesWithinMs: 10 })
    const found = judgeRun([oracle], [started("c1", 5), started("c2", 4), started("c3", 400), ended(900)])
    expect(found.map(({ oracle, at }) => [oracle, at])).toEqual([
      ["calls-settle", 14],
      ["liveness", 900]
    ])
  })

  it("lets time pass without an event", () => {
    const run = watchRun([callsSettle({ settlesWithinMs: 10 })])
    run.see(started("c1", 5))
    run.passTo(15)
    expect(run.violations()).toEqual([])

    run.passTo(15.5)
    expect(run.violations()[0]?.message).toBe("c1/a waits for its client, to send a request since 5 ms, 10 ms at most")
  })

  it("gives what waits a budget once faults have stopped, and not before", () => {
    const options = { settleBudgetMs: 100 }
    const events = [started("c1", 0), started("c2", 950)]
    expect(shapes(callsSettle(), [...events, done("c2", 9_000)], options)).toEqual([])

    const run = watchRun([callsSettle()], options)
    for (const event of [started("c1", 0), stopped(900), started("c2", 950)]) run.see(event)
    run.passTo(1_000)
    expect(run.violations()).toEqual([])
    run.passTo(1_001)
    expect(run.violations()).toMatchObject([{ oracle: "liveness", at: 1_000 }])
    expect(run.violations()[0]?.message).not.toContain("c2")
  })

  it("names who waits for whom when a run ends with something open", () => {
    const events = [
      registered("first turn"),
      started("c1", 0),
      by("c1", 0, { type: "attempt.sent", call: "a", attempt: 1 }),
      by("c1", 1, { type: "attempt.arrived", call: "a", attempt: 1, request: 1, fingerprint: null }),
      asked(1, 1),
      decided(1, "expectation", "first turn", 1),
      srv(1, {
        type: "step",
        actor: 101,
        chart: "copy",
        event: "socket.written",
        state: "sending.waiting.barred",
        handled: true
      }),
      phase("first turn", "Blocked", 1)
    ]
    expect(judgeRun([callsSettle(), requestsSettle()], events)).toEqual([])
    expect(judgeRun([callsSettle(), requestsSettle()], [...events, ended(50)])).toEqual([
      {
        oracle: "liveness",
        shape: "a copy is held at a barrier",
        message: 'these wait for ever: c1/a waits for request 1, which waits for the release of "first turn"',
        at: 50,
        events: 9
      }
    ])
  })
})

describe("A law that throws", () => {
  const boom = new RangeError("boom 7")
  const thrown = () => {
    throw boom
  }
  const idle: Monitor<number> = { name: "mine", init: () => 0, on: () => 0 }

  // Seen to fail while what it threw went on as it was, through whoever had made the event, and no law was named.
  it.each(["init", "on", "hot", "fail"])("in %s is named, and asked no more", (member) => {
    let asks = 0
    const law = {
      ...idle,
      [member]: () => {
        asks++
        thrown()
      }
    }

    const violations = judgeRun([law, atMostOne], [started("c1", 3), started("c2", 7), ended(9)])

    const place = member === "init" ? { at: 0, events: 0 } : {}
    expect(violations).toMatchObject([
      {
        oracle: "mine",
        shape: `${member} throws RangeError: boom #`,
        message: `${member} throws RangeError: boom 7`,
        ...place
      },
      { oracle: "at-most-one", at: 7 }
    ])
    expect(asks).toBe(1)
    expect(() => checkViolations(violations)).toThrow(expect.objectContaining({ cause: boom }))
  })

  it("or gives what is no answer is told so", () => {
    const [violation] = judgeRun([{ ...idle, fail: () => JSON.parse("5") }], [started("c1", 3)])
    expect(violation?.message).toBe(
      "fail throws TypeError: 5 is no answer; give a text, { shape, message }, or undefined when nothing is broken"
    )
  })
})

describe("The signature of a failure", () => {
  const run = (names: ReadonlyArray<string>, at: number) =>
    judgeRun([callsSettle(), requestsSettle()], [...names.map((name) => started(name, at)), ended(at + 500)])

  it("is the same in another schedule, with other names and times", () => {
    const [one] = run(["c1", "c2", "c3"], 3)
    const [other] = run(["x9"], 77)
    expect(one && other && isSameFailure(one, other)).toBe(true)
    expect(one && signatureOf(one)).toEqual({ oracle: "liveness", shape: "a call has not settled" })
  })

  it("is another one for another cause", () => {
    const [one] = run(["c1"], 0)
    const [other] = judgeRun([atMostOne], [started("c1", 0), started("c2", 0)])
    expect(one && other && isSameFailure(one, other)).toBe(false)
  })

  it("is the first line of the error, and the violations follow", () => {
    const violations = run(["c1"], 0)
    expect(() => checkViolations(violations)).toThrow(OracleViolated)
    expect(() => checkViolations(violations)).toThrow(
      /^liveness: a call has not settled\nat 500 ms, liveness: these wait/
    )
    expect(() => checkViolations([])).not.toThrow()
  })
})
