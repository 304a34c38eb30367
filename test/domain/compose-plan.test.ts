import { describe, expect, it } from "vitest"
import type { PlacedBarrier } from "../../src/domain/barrier.ts"
import type { BodyStep } from "../../src/domain/body-step.ts"
import { composePlan, type PlanParts, withoutBody } from "../../src/domain/compose-plan.ts"
import { chunksOf, type Plan } from "../../src/domain/plan.ts"
import { stretchBytesMax } from "../../src/domain/stretch.ts"

/** A plan as one line: each step by a word, `!` before the step that needs the crossing. */
const line = ({ steps, crossesAt, ending }: Plan): string => {
  const words = steps.map((step) => {
    if (step.kind === "write") return `write(${step.bytes})`
    if (step.kind === "pause") return `pause(${step.ms})`
    return step.kind === "barrier" ? `barrier(${step.name})` : step.kind
  })
  return [...words, ending].map((word, index) => (index === crossesAt ? `!${word}` : word)).join(" ")
}

const parts = (changes: Partial<PlanParts>): PlanParts => ({
  status: 200,
  headers: [],
  body: { kind: "frames", frames: ["a", "b", "c"] },
  ending: "end",
  delayMs: null,
  barriers: [],
  owner: "call",
  ...changes
})

const barriers = (...places: ReadonlyArray<PlacedBarrier["place"]>): ReadonlyArray<PlacedBarrier> =>
  places.map((place) => ({ name: `${place}`, place }))

const frames = (...list: ReadonlyArray<string>) => ({ kind: "frames", frames: list }) as const
const whole = { kind: "whole", bytes: "all" } as const
const nothing = { kind: "whole", bytes: "" } as const
const bare = { kind: "bare" } as const
const headless = { kind: "headless" } as const

describe("the plan of a stream", () => {
  it.each([
    [{}, "head !write(abc) end"],
    [{ barriers: barriers("terminal") }, "head write(ab) barrier(terminal) !write(c) end"],
    [{ barriers: barriers("head") }, "barrier(head) head !write(abc) end"],
    [{ barriers: barriers(0) }, "head barrier(0) !write(abc) end"],
    [{ barriers: barriers(1) }, "head write(a) barrier(1) !write(bc) end"],
    [{ barriers: barriers(2) }, "head write(ab) barrier(2) !write(c) end"],
    [
      { barriers: barriers("terminal", 2, "head") },
      "barrier(head) head write(ab) barrier(2) barrier(terminal) !write(c) end"
    ],
    [{ delayMs: 5 }, "head pause(5) write(a) pause(5) write(b) pause(5) !write(c) end"],
    [
      { delayMs: 5, barriers: barriers("terminal") },
      "head pause(5) write(a) pause(5) write(b) pause(5) barrier(terminal) !write(c) end"
    ],
    [{ delayMs: 0, body: frames("a") }, "head pause(0) !write(a) end"],
    [{ body: frames("a"), barriers: barriers("terminal") }, "head barrier(terminal) !write(a) end"],
    [{ body: frames() }, "head !end"],
    [{ body: frames(), barriers: barriers("terminal") }, "head barrier(terminal) !end"],
    [{ body: frames(), delayMs: 5 }, "head !end"]
  ])("that ends cleanly crosses before its last event: %o", (changes, expected) => {
    expect(line(composePlan(parts(changes)))).toBe(expected)
  })

  it.each(["fin", "rst", "halfClose", "stall"] as const)("that ends with %s crosses before that", (ending) => {
    expect(line(composePlan(parts({ ending })))).toBe(`head write(abc) !${ending}`)
    expect(line(composePlan(parts({ ending, barriers: barriers("terminal") })))).toBe(
      `head write(abc) barrier(terminal) !${ending}`
    )
    expect(line(composePlan(parts({ ending, barriers: barriers(2), delayMs: 1 })))).toBe(
      `head pause(1) write(a) pause(1) write(b) pause(1) barrier(2) write(c) !${ending}`
    )
    expect(line(composePlan(parts({ ending, body: frames() })))).toBe(`head !${ending}`)
  })

  it("keeps its connection alive and counts its events", () => {
    const plan = composePlan(parts({ barriers: barriers(1) }))

    expect(plan.keepAlive).toBe(true)
    expect(plan.steps.map((step) => (step.kind === "write" ? step.events : 0))).toEqual([0, 1, 0, 2])
    expect(plan.steps[2]).toEqual({ kind: "barrier", name: "1", owner: "call" })
  })

  it("counts no comment as an event", () => {
    const plan = composePlan(parts({ body: frames("a", ":\n\n", ": x\n\n", "b") }))

    expect(plan.steps.map((step) => (step.kind === "write" ? step.events : 0))).toEqual([0, 2])
  })

  it("is cut so that no stretch is longer than 64 KiB, unless one event is", () => {
    const third = "x".repeat(30_000)
    const plan = composePlan(parts({ body: frames(third, third, third, third, "y".repeat(100_000), "z", "end") }))

    const writes = plan.steps.flatMap((step) => (step.kind === "write" ? [[step.events, step.bytes.length]] : []))
    expect(stretchBytesMax).toBe(64 * 1024)
    expect(writes).toEqual([
      [2, 60_000],
      [2, 60_000],
      [1, 100_000],
      [2, 4]
    ])
    expect(plan.crossesAt).toBe(plan.steps.length - 1)
  })

  it("fills a stretch to the last byte", () => {
    const half = "x".repeat(stretchBytesMax / 2)

    const plan = composePlan(parts({ body: frames(half, half, "y") }))

    expect(plan.steps.map((step) => (step.kind === "write" ? step.bytes.length : 0))).toEqual([0, stretchBytesMax, 1])
  })
})

const event = (frame: string): BodyStep => ({ kind: "event", frame })
const wait = (ms: number): BodyStep => ({ kind: "wait", ms })
const bytes = (text: string, events = 0): BodyStep => ({ kind: "bytes", bytes: new TextEncoder().encode(text), events })
const raw = (text: string): BodyStep => ({ kind: "bytes", bytes: text, events: 0, isUnframed: true })
const said = (...steps: ReadonlyArray<BodyStep>) => ({ kind: "steps", steps, headDelayMs: 0 }) as const

describe("the plan of a body of which every step was said", () => {
  /** Writes as the chunks that they become. */
  const chunked = (plan: Plan): string =>
    line({
      ...plan,
      steps: plan.steps.map((step) => {
        if (step.kind !== "write") return step
        const chunks = chunksOf(step.bytes, step.chunkEnds).map((chunk) => Buffer.from(chunk))
        return { ...step, bytes: `${chunks.join("|")}` }
      })
    })

  it.each([
    [{ body: said(event("a"), event("b"), event("c")) }, "head !write(a|b|c) end"],
    [{ body: said(event("a"), wait(5), event("b"), event("c")) }, "head write(a) pause(5) !write(b|c) end"],
    [{ body: said(event("a"), event("b"), wait(5)) }, "head !write(a|b) pause(5) end"],
    [
      { body: said(event("a"), event("b"), event("c")), barriers: barriers(1, "terminal") },
      "head write(a) barrier(1) write(b) barrier(terminal) !write(c) end"
    ],
    [{ body: said(bytes("a"), bytes("b", 1), bytes("c", 1)) }, "head !write(a|b|c) end"],
    [{ body: said(event("a"), event("b"), bytes("c"), bytes("d")), ending: "fin" }, "head write(a|b) write(c|d) !fin"],
    [{ body: said(event("a"), raw("!"), raw("?")), ending: "fin" }, "head write(a) write(!) write(?) !fin"]
  ] as const)("joins chunks with nothing between them, and keeps them apart: %o", (changes, expected) => {
    expect(chunked(composePlan(parts(changes)))).toBe(expected)
  })

  it("is cut so that no stretch is longer than 64 KiB, unless one chunk is, and counts every event", () => {
    const third = event("x".repeat(30_000))
    const plan = composePlan(parts({ body: said(third, third, third, event("y".repeat(100_000)), event("z")) }))

    const writes = plan.steps.flatMap((step) => (step.kind === "write" ? [[step.events, step.bytes.length]] : []))
    expect(writes).toEqual([
      [2, 60_000],
      [1, 30_000],
      [1, 100_000],
      [1, 1]
    ])
    expect(plan.crossesAt).toBe(plan.steps.length - 1)
  })

  it("is few steps, of however many chunks it is", () => {
    const plan = composePlan(parts({ body: said(...Array.from({ length: 100_000 }, () => event("x".repeat(100)))) }))

    expect(plan.steps.length).toBe(1 + Math.ceil(100_000 / Math.floor(stretchBytesMax / 100)))
  })

  it.each([
    [[], "pause(7) !head write(all) end"],
    [barriers("terminal"), "pause(7) barrier(terminal) !head write(all) end"],
    [barriers("terminal", "head"), "barrier(head) pause(7) barrier(terminal) !head write(all) end"]
  ])("that is no stream crosses at its head, behind the silence before it: %o", (at, expected) => {
    const body = { kind: "steps", steps: [{ kind: "bytes", bytes: "all", events: 0 }], headDelayMs: 7 } as const

    expect(line(composePlan(parts({ body, barriers: at })))).toBe(expected)
  })

  it("has the heartbeat of its silence", () => {
    const heartbeat = { ms: 5, bytes: ":" }

    expect(composePlan(parts({ body: said(), ending: "stall", heartbeat })).heartbeat).toEqual(heartbeat)
    expect(composePlan(parts({})).heartbeat).toBeUndefined()
  })
})

describe("the plan of another body", () => {
  it.each([
    [{ body: whole }, "!head write(all) end"],
    [{ body: whole, barriers: barriers("terminal") }, "barrier(terminal) !head write(all) end"],
    [{ body: whole, barriers: barriers("terminal", "head") }, "barrier(head) barrier(terminal) !head write(all) end"],
    [{ body: whole, delayMs: 5 }, "!head write(all) end"],
    [{ body: nothing }, "!head end"],
    [{ body: bare }, "!head end"],
    [{ body: bare, barriers: barriers("terminal") }, "barrier(terminal) !head end"]
  ])("that ends cleanly crosses before its head: %o", (changes, expected) => {
    const plan = composePlan(parts(changes))

    expect(line(plan)).toBe(expected)
    expect(plan.keepAlive).toBe(false)
  })

  it.each(["fin", "rst", "halfClose", "stall"] as const)("that ends with %s crosses before that", (ending) => {
    const at = barriers("head", "terminal")

    expect(line(composePlan(parts({ ending, body: whole, barriers: at })))).toBe(
      `barrier(head) head write(all) barrier(terminal) !${ending}`
    )
    expect(line(composePlan(parts({ ending, body: bare })))).toBe(`head !${ending}`)
    expect(line(composePlan(parts({ ending, body: headless })))).toBe(`!${ending}`)
    expect(line(composePlan(parts({ ending, body: headless, barriers: at })))).toBe(
      `barrier(head) barrier(terminal) !${ending}`
    )
  })
})

describe("the plan of a HEAD request", () => {
  it.each([
    [{}, "head !end"],
    [{ barriers: barriers(1, "terminal") }, "head barrier(1) barrier(terminal) !end"],
    [{ delayMs: 5, body: frames("a", "b") }, "head pause(5) pause(5) !end"],
    [{ body: whole }, "!head end"],
    [{ body: whole, ending: "rst" }, "head !rst"],
    [{ body: frames() }, "head !end"]
  ] as const)("has everything but the bytes: %o", (changes, expected) => {
    const plan = withoutBody(composePlan(parts(changes)))

    expect(line(plan)).toBe(expected)
    expect(plan.keepAlive).toBe(false)
  })
})
