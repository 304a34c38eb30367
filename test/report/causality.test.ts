import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { causalSlice, failureSlice } from "../../src/report/causal-slice.ts"
import type { TracedStep } from "../../src/report/run-trace.ts"
import { isBefore, vectorClocks } from "../../src/report/vector-clocks.ts"
import { failedTrace, longTrace, tracedStep } from "./many-steps.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

/** Runs of a few actors, with causes anywhere before. */
const runs: fc.Arbitrary<ReadonlyArray<TracedStep>> = fc
  .array(fc.tuple(fc.nat(3), fc.option(fc.nat(99), { freq: 4 })), { maxLength: 30, size: "max" })
  .map((shapes) =>
    shapes.map(([actor, back], index) => {
      const cause = back === null || index === 0 ? null : index - (back % index)
      return tracedStep(index + 1, { actor: `a${actor}`, cause })
    })
  )

/** Whether a step is reached from another by causes and by the order of an actor's steps, looked for step by step. */
const reaches = (steps: ReadonlyArray<TracedStep>, from: number, to: number): boolean => {
  if (from === to) return true
  const target = steps[to - 1]
  if (target === undefined || from > to) return false
  const sameActor = steps.findLast(({ step, actor }) => step < to && actor === target.actor)
  return [target.cause, sameActor?.step ?? null].some((step) => step !== null && reaches(steps, from, step))
}

const memo = (steps: ReadonlyArray<TracedStep>): ReadonlyArray<ReadonlySet<number>> => {
  const before: Array<Set<number>> = []
  for (const { step, actor, cause } of steps) {
    const last = steps.findLast((other) => other.step < step && other.actor === actor)
    const own = new Set([step])
    for (const earlier of [cause, last?.step ?? null])
      if (earlier !== null) for (const each of before[earlier - 1] ?? []) own.add(each)
    before.push(own)
  }
  return before
}

describe("vector clocks", () => {
  test("say of two steps whether one came before the other, as causes and the order of each actor's steps do", () => {
    fc.assert(
      fc.property(runs, (steps) => {
        const clocks = [...vectorClocks(steps)].map(({ clock }) => clock)
        const before = memo(steps)
        for (const [later, clock] of clocks.entries())
          for (const [earlier, other] of clocks.entries())
            if (earlier !== later) expect(isBefore(other, clock)).toBe(before[later]?.has(earlier + 1) === true)
      })
    )
  })

  test("count an actor's own steps from one without a gap", () => {
    const seen = new Map<string, number>()
    for (const { step, clock } of vectorClocks(clientsTrace(lateChoices).steps)) {
      seen.set(step.actor, (seen.get(step.actor) ?? 0) + 1)
      expect(clock.get(step.actor)).toBe(seen.get(step.actor))
    }
  })
})

describe("the causal slice", () => {
  test("holds every step that the failure depends on, and no other", () => {
    fc.assert(
      fc.property(runs, fc.nat(), (steps, pick) => {
        const of = steps.length === 0 ? 1 : (pick % steps.length) + 1
        const slice = causalSlice(steps, [of]).map(({ step }) => step)
        const wanted = steps.filter(({ step }) => memo(steps)[of - 1]?.has(step)).map(({ step }) => step)
        expect(slice).toEqual(wanted)
      })
    )
  })

  test("agrees with a search for the ways from each step to the failure", () => {
    const steps = [
      tracedStep(1, { actor: "a" }),
      tracedStep(2, { actor: "b" }),
      tracedStep(3, { actor: "c", cause: 1 }),
      tracedStep(4, { actor: "b" }),
      tracedStep(5, { actor: "c", cause: 4 }),
      tracedStep(6, { actor: "a", cause: 2 })
    ]

    for (const of of [1, 2, 3, 4, 5, 6])
      expect(causalSlice(steps, [of]).map(({ step }) => step)).toEqual(
        steps.map(({ step }) => step).filter((step) => reaches(steps, step, of))
      )
  })

  test("keeps steps of one actor apart that touch nothing in common", () => {
    const trace = clientsTrace(lateChoices)

    expect(failureSlice(trace).map(({ step, label, from }) => `${step} ${label} ${from ?? ""}`.trim())).toEqual([
      "3 request c2",
      "6 timeout",
      "7 request c2"
    ])
  })

  test("goes back from the last step where the run does not say at which step it failed", () => {
    const steps = [tracedStep(1), tracedStep(2, { actor: "b" }), tracedStep(3)]

    expect(failureSlice(failedTrace(steps)).map(({ step }) => step)).toEqual([1, 3])
    expect(failureSlice(failedTrace(steps, [99])).map(({ step }) => step)).toEqual([1, 3])
    expect(failureSlice(failedTrace(steps, [2, 3])).map(({ step }) => step)).toEqual([1, 2, 3])
    expect(failureSlice(failedTrace([]))).toEqual([])
  })

  test("is made of a long run too", () => {
    expect(failureSlice(longTrace(20_000))).toHaveLength(20_000)
  })
})
