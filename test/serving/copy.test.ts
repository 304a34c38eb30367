import { describe, expect, it } from "vitest"
import { composePlan, type PlanParts } from "../../src/domain/compose-plan.ts"
import { endingPlan, heldPlan } from "../../src/domain/held-plan.ts"
import { chunksOf, type Plan } from "../../src/domain/plan.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { type Copy, type CopyData, nextStep, startCopy, unsent } from "../../src/serving/copy.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"

/** Runs a plan on a sink that writes down what it is given. */
const run = (
  plan: Plan,
  options: { readonly hasRoom?: boolean; readonly refuses?: "head" | "write"; readonly isQueued?: boolean } = {}
) => {
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const seen: Array<string> = []
  const note = (text: string): void => void seen.push(text)
  const data: CopyData = {
    supervisor,
    sink: {
      head(status) {
        if (options.refuses === "head") throw new Error("refused")
        note(`head ${status}`)
      },
      write(bytes, chunkEnds) {
        if (options.refuses === "write") throw new Error("refused")
        note(`write ${chunksOf(bytes, chunkEnds).join("|")}`)
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
  }
  const copy = startCopy(plan, data, options.isQueued)
  const deliver = (
    type: "turn.begun" | "barrier.opened" | "socket.written" | "client.gone" | "server.killed" | "transport.failed"
  ) => supervisor.deliver(copy, { type })
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

  it("behind others does nothing of its plan, however long it waits, until its turn has begun", () => {
    const { seen, deliver, clock } = run(planOf({ delayMs: 5 }), { isQueued: true })

    clock.advance(60_000)
    for (const type of ["socket.written", "barrier.opened"] as const) deliver(type)
    expect([seen, clock.armed()]).toEqual([[], 0])

    deliver("turn.begun")
    expect(seen).toEqual(["head 200", "flush"])
    clock.advance(10)
    expect(seen.at(-1)).toBe("over")
    expect(seen).toContain("completed")
  })

  it.each(["client.gone", "server.killed"] as const)("behind others is ended by %s with nothing sent", (type) => {
    const { seen, deliver, supervisor } = run(planOf({}), { isQueued: true })

    deliver(type)
    deliver("turn.begun")

    expect(seen.filter((text) => text !== "finish fin")).toEqual(["cancelled", "client_closed", "over"])
    expect(supervisor.alive()).toBe(0)
  })

  it("crosses where its plan says, also in the middle of a silence", () => {
    const pause = { kind: "pause", ms: 5 } as const
    const head = { kind: "head", status: 200, headers: [] } as const
    const { seen, clock } = run({ steps: [pause, pause, head], ending: "end", crossesAt: 1, keepAlive: false })
    expect(seen).toEqual(["flush"])

    clock.advance(5)
    expect(seen).toEqual(["flush", "crossed"])
    clock.advance(5)
    expect(seen.slice(2)).toEqual(["head 200", "finish end", "completed", "over"])
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

  it("with a heartbeat is settled and stalled at once, and beats until somebody goes", () => {
    const plan = planOf({ ending: "stall", heartbeat: { ms: 100, bytes: ":" }, body: { kind: "frames", frames: [] } })
    const { seen, deliver, clock, supervisor } = run(plan)
    const beats = (): number => seen.filter((text) => text === "write :").length
    expect(seen).toEqual(["head 200", "crossed", "flush", "stalled", "write :", "flush"])

    clock.advance(99)
    expect(beats()).toBe(1)
    clock.advance(2_000_000 - 99)
    expect(beats()).toBe(20_001)

    deliver("client.gone")
    clock.advance(1_000)
    expect([beats(), seen.at(-1), supervisor.alive(), clock.armed()]).toEqual([20_001, "over", 0, 0])
  })

  it("beats no second time for a reader that is behind", () => {
    const heartbeat = { ms: 100, bytes: ":" }
    const plan = planOf({ ending: "stall", heartbeat, body: { kind: "frames", frames: [] } })
    const { seen, deliver, clock } = run(plan, { hasRoom: false })
    const beats = (): number => seen.filter((text) => text === "write :").length

    clock.advance(10_000)
    expect(beats()).toBe(1)
    deliver("socket.written")
    clock.advance(10_000)
    expect(beats()).toBe(2)
  })

  it("hands chunks with nothing between them over at once, each a chunk still", () => {
    const steps = ["a", "b", "c"].map((frame) => ({ kind: "event", frame }) as const)
    const { seen } = run(planOf({ body: { kind: "steps", headDelayMs: 0, steps } }))

    expect(seen).toEqual(["head 200", "crossed", "write a|b|c", "finish end", "completed", "over"])
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
