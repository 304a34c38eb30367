import { describe, expect, it } from "vitest"
import { composePlan, type PlanParts } from "../../src/domain/compose-plan.ts"
import { endingPlan, heldPlan } from "../../src/domain/held-plan.ts"
import type { Plan } from "../../src/domain/plan.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { type Copy, nextStep, startCopy, unsent } from "../../src/serving/copy.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"

/** Runs a plan on a sink that writes down what it is given. */
const run = (plan: Plan, options: { readonly hasRoom?: boolean; readonly refuses?: "head" | "write" } = {}) => {
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const seen: Array<string> = []
  const note = (text: string): void => void seen.push(text)
  const copy = startCopy(plan, {
    supervisor,
    sink: {
      head(status) {
        if (options.refuses === "head") throw new Error("refused")
        note(`head ${status}`)
      },
      write(bytes) {
        if (options.refuses === "write") throw new Error("refused")
        note(`write ${bytes}`)
        return options.hasRoom ?? true
      },
      writeUnframed(bytes) {
        note(`unframed ${bytes}`)
        return true
      },
      flush: () => note("flush"),
      finish: (how) => note(`finish ${how}`)
    },
    watcher: {
      what: "a test",
      waits: (_, barrier) => note(`waits at ${barrier}`),
      headSent: () => {},
      served: () => {},
      settled: (as) => note(as),
      ended: (outcome) => note(outcome)
    },
    over: () => note("over")
  })
  const deliver = (type: "barrier.opened" | "socket.written" | "client.gone" | "server.killed" | "transport.failed") =>
    supervisor.deliver(copy, { type })
  return { clock, supervisor, copy, seen, deliver }
}

const planOf = (changes: Partial<PlanParts>): Plan =>
  composePlan({
    status: 200,
    headers: [],
    body: { kind: "frames", frames: ["a", "b"] },
    ending: "end",
    delayMs: null,
    barriers: [],
    owner: "call",
    ...changes
  })

const terminal = [{ name: "terminal", place: "terminal" }] as const

describe("a copy", () => {
  it("takes the steps of its plan, settles before the marked one, and is over", () => {
    const { seen, supervisor, clock } = run(planOf({}))

    expect(seen).toEqual(["head 200", "crossed", "write ab", "finish end", "completed", "over"])
    expect([supervisor.alive(), clock.armed()]).toEqual([0, 0])
  })

  it("hands over what it has before it waits", () => {
    const { seen, deliver, copy } = run(planOf({ barriers: terminal }))
    expect(seen).toEqual(["head 200", "write a", "flush", "waits at terminal"])
    expect(nextStep(copy)).toMatchObject({ kind: "barrier", name: "terminal" })

    deliver("barrier.opened")
    expect(seen.slice(4)).toEqual(["crossed", "write b", "finish end", "completed", "over"])
    expect(nextStep(copy)).toBeUndefined()
  })

  it("goes on when the reader has made room, and not before", () => {
    const { seen, deliver } = run(planOf({ barriers: terminal }), { hasRoom: false })
    expect(seen).toEqual(["head 200", "write a"])

    deliver("barrier.opened")
    expect(seen).toHaveLength(2)
    deliver("socket.written")
    expect(seen.slice(2)).toEqual(["flush", "waits at terminal"])
  })

  it.each([
    ["client.gone", ["cancelled", "client_closed", "over"]],
    ["server.killed", ["cancelled", "finish fin", "client_closed", "over"]],
    ["transport.failed", ["cancelled", "finish fin", "server_error", "over"]]
  ] as const)("is cancelled once by %s while it waits", (type, end) => {
    for (const changes of [{ barriers: terminal }, { delayMs: 100 }]) {
      const { seen, deliver, supervisor, clock } = run(planOf(changes))
      const before = seen.length

      deliver(type)
      deliver("client.gone")
      deliver("barrier.opened")
      clock.advance(60_000)

      expect(seen.slice(before)).toEqual(end)
      expect([supervisor.alive(), clock.armed()]).toEqual([0, 0])
    }
  })

  it.each(["head", "write"] as const)("whose %s the transport refuses fails alone", (refuses) => {
    const { seen, supervisor, clock } = run(planOf({ barriers: terminal }), { refuses })

    expect(seen.slice(-4)).toEqual(["cancelled", "finish fin", "server_error", "over"])
    expect([supervisor.alive(), clock.armed()]).toEqual([0, 0])
  })

  it("that has crossed is not cancelled any more", () => {
    const { seen, deliver } = run(planOf({}), { hasRoom: false })
    expect(seen.at(-2)).toBe("crossed")

    deliver("client.gone")

    expect(seen.slice(3)).toEqual(["client_closed", "over"])
  })

  it("in a stall is settled and stays until somebody goes", () => {
    for (const [type, end] of [
      ["client.gone", ["over"]],
      ["server.killed", ["finish fin", "over"]],
      ["transport.failed", ["over"]]
    ] as const) {
      const { seen, deliver, supervisor } = run(planOf({ ending: "stall" }))
      expect(seen).toEqual(["head 200", "write ab", "crossed", "flush", "stalled"])
      expect(supervisor.alive()).toBe(1)

      deliver(type)

      expect(seen.slice(5)).toEqual(end)
      expect(supervisor.alive()).toBe(0)
    }
  })

  it("says a comment only in a stream, after its head, in silence", () => {
    const comments = (plan: Plan) => {
      const { seen, clock } = run(plan)
      clock.advance(44_999)
      return seen.filter((text) => text === "write :\n\n").length
    }

    expect(comments(planOf({ barriers: terminal }))).toBe(2)
    expect(comments(planOf({ barriers: [{ name: "head", place: "head" }] }))).toBe(0)
    expect(comments(planOf({ body: { kind: "whole", bytes: "x" }, barriers: terminal }))).toBe(0)
    expect(comments(planOf({ delayMs: 14_999 }))).toBe(0)
    expect(comments(planOf({ delayMs: 15_001, body: { kind: "frames", frames: ["a", "b", "c"] } }))).toBe(2)
  })

  it("is one of many that do not know each other", () => {
    const plan = planOf({ barriers: terminal })
    const [one, two] = [run(plan), run(plan)]
    const at = (copy: Copy) => copy.snapshot.context.index

    one.deliver("barrier.opened")

    expect([at(one.copy) > at(two.copy), two.seen.at(-1)]).toEqual([true, "waits at terminal"])
  })

  it("that a test writes by hand leaves what is under way as it is, and says how much waits for the reader", () => {
    const { seen, supervisor, copy, deliver } = run(heldPlan([{ kind: "head", status: 200, headers: [] }], true), {
      hasRoom: false
    })
    const say = (plan: Plan): void => supervisor.deliver(copy, { type: "plan.extended", plan })
    const word = (bytes: string): Plan => heldPlan([{ kind: "write", bytes, events: 1 }], true)
    say(word("one"))
    const underWay = copy.snapshot.context.plan

    for (const bytes of ["two", "three"]) say(word(bytes))
    expect(copy.snapshot.context.plan).toBe(underWay)
    expect(unsent(copy)).toEqual({ steps: 3, bytes: 11 })
    deliver("socket.written")
    say(word("four"))
    expect(unsent(copy)).toEqual({ steps: 3, bytes: 12 })
    say(endingPlan("end"))
    say(word("never"))
    for (let writes = 0; writes < 3; writes++) deliver("socket.written")

    expect(seen.filter((text) => text !== "flush")).toEqual([
      ...["head 200", "write one", "write two", "write three", "write four"],
      ...["crossed", "finish end", "completed", "over"]
    ])
    expect(unsent(copy)).toEqual({ steps: 0, bytes: 0 })
  })

  it("keeps the silence between two pauses of what is said one silence", () => {
    const { seen, supervisor, copy, clock } = run(heldPlan([{ kind: "head", status: 200, headers: [] }], true))
    const pause = heldPlan([{ kind: "pause", ms: 10_000 }], true)
    for (let times = 0; times < 2; times++) supervisor.deliver(copy, { type: "plan.extended", plan: pause })

    clock.advance(15_000)

    expect(seen.filter((text) => text === "write :\n\n")).toHaveLength(1)
  })
})
