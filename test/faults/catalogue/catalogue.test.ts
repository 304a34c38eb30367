import { describe, expect, it } from "vitest"
import { faultNames } from "../../../src/domain/fault-names.ts"
import type { Ending } from "../../../src/domain/plan.ts"
import { behaviorOf, catalogue } from "../../../src/faults/catalogue/catalogue.ts"
import { readEvents } from "../../../src/wire/sse-reader.ts"
import { answerOf, bodyOf, eventsIn, headOf, kinds, planOf, textOf, voices, writesOf } from "./planned.ts"

const outcomes: Readonly<Record<Ending, string>> = {
  end: "completed",
  fin: "reset",
  rst: "reset",
  halfClose: "reset",
  stall: "stalled",
  vanish: "stalled"
}

const everyAnswer = voices.flatMap(([name, voice]) =>
  kinds.map((kind) => [`${name}, ${kind}`, { voice, kind }] as const)
)

describe("the catalogue", () => {
  it("has a behaviour for every name, in the order of the names", () => {
    expect(catalogue.map(({ name }) => name)).toEqual(faultNames)
    expect(faultNames.map((name) => behaviorOf(name).name)).toEqual(faultNames)
  })

  it("says in a few words what a client sees", () => {
    for (const { summary } of catalogue) expect(summary).toMatch(/^\S.{2,99}$/)
    expect(new Set(catalogue.map(({ summary }) => summary)).size).toBe(catalogue.length)
  })
})

describe.each(faultNames)("%s", (name) => {
  it("ends in every format as its outcome says", () => {
    for (const [, asked] of everyAnswer) {
      const answer = answerOf(name, asked)
      const plan = planOf(name, asked)

      expect(plan.ending).toBe(answer.ending)
      expect(outcomes[plan.ending]).toBe(behaviorOf(name).outcome)
    }
  })

  it("sends its head before its bytes, and only bytes where there is a head", () => {
    for (const [, asked] of everyAnswer) {
      const { steps, ending, crossesAt } = planOf(name, asked)
      const heads = steps.flatMap(({ kind }, at) => (kind === "head" ? [at] : []))
      const firstWrite = steps.findIndex(({ kind }) => kind === "write")

      expect(heads.length).toBe(answerOf(name, asked).head === null ? 0 : 1)
      if (firstWrite >= 0) expect(heads[0]).toBeLessThan(firstWrite)
      if (ending === "end") expect(heads.length).toBe(1)
      expect(crossesAt).toBeGreaterThanOrEqual(0)
      expect(crossesAt).toBeLessThanOrEqual(steps.length)
    }
  })

  it("counts, after each write, the events that a reader has", () => {
    for (const [title, asked] of everyAnswer) {
      const plan = planOf(name, asked)
      const total = readEvents(textOf(plan)).length
      // A reader knows the end of such an event from its CR, one chunk before its last byte.
      const isAhead = name === "split_crlf" && asked.kind === "stream"
      const isLong = writesOf(plan).length > 100

      expect([title, eventsIn(plan)]).toEqual([title, asked.kind === "reply" ? 0 : total])
      if (isAhead || isLong) continue
      let sent = Buffer.alloc(0)
      let counted = 0
      for (const { bytes, events } of writesOf(plan)) {
        sent = Buffer.concat([sent, Buffer.from(bytes)])
        counted += events
        expect([title, counted]).toEqual([title, readEvents(sent.toString("utf8")).length])
      }
    }
  })

  it("writes no empty chunk, which would end a body", () => {
    for (const [, asked] of everyAnswer) {
      expect(writesOf(planOf(name, asked)).filter(({ bytes }) => bytes.length === 0)).toEqual([])
    }
  })

  it("announces the length of its body, or more where it is cut short", () => {
    for (const [title, asked] of everyAnswer) {
      const plan = planOf(name, asked)
      const announced = headOf(plan).headers["content-length"]
      if (announced === undefined) continue
      const missing = Number(announced) - bodyOf(plan).byteLength

      expect([title, missing > 0]).toEqual([title, plan.ending !== "end"])
      expect([title, missing >= 0]).toEqual([title, true])
    }
  })

  it("has its semantic end at an event that it sends", () => {
    for (const [title, asked] of everyAnswer) {
      const { semanticEnd, steps } = answerOf(name, asked)
      if (semanticEnd === null) continue
      const events = steps.filter(({ kind }) => kind === "event")

      expect([title, events.length > semanticEnd || name === "truncated_event"]).toEqual([title, true])
    }
  })

  it("does the same twice", () => {
    for (const [, asked] of everyAnswer) expect(planOf(name, asked)).toEqual(planOf(name, asked))
  })
})
