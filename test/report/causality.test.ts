import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { causalSlice, failureSlice } from "../../src/report/causal-slice.ts"
import type { TracedStep } from "../../src/report/run-trace.ts"
import { isBefore, vectorClocks } from "../../src/report/vector-clocks.ts"
import { failedTrace, longTrace, tracedStep } from "./many-steps.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

const things = fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 1, maxLength: 2 })

/** Runs of a few actors, with causes anywhere before; some steps say what they touch. */
const runs: fc.Arbitrary<ReadonlyArray<TracedStep>> = fc
  .array(fc.tuple(fc.nat(3), fc.option(fc.nat(99), { freq: 4 }), fc.option(things, { freq: 6, nil: undefined })), {
    maxLength: 30,
    size: "max"
  })
  .map((shapes) =>
    shapes.map(([actor, back, touches], index) => {
      const cause = back === null || index === 0 ? null : index - (back % index)
      return tracedStep(index + 1, { actor: `a${actor}`, cause, touches })
    })
  )

/** Whether the order of two steps may matter; of one that does not say what it touches nobody knows. */
const mayConflict = (one: TracedStep, other: TracedStep): boolean => {
  const { touches } = other
  return one.touches === undefined || touches === undefined || one.touches.some((thing) => touches.includes(thing))
}

/** All that a step depends on, looked for step by step. */
const needs = (steps: ReadonlyArray<TracedStep>, of: number): ReadonlyArray<number> => {
  const found = new Set([of])
  for (const later of steps.toReversed())
    if (found.has(later.step))
      for (const one of steps.slice(0, later.step - 1))
        if (one.step === later.cause || mayConflict(one, later)) found.add(one.step)
  return [...found].sort((one, other) => one - other)
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
  // Seen to fail when a step that says nothing touched its actor alone.
  test("holds every step that the failure may depend on, and no other", () => {
    fc.assert(
      fc.property(runs, fc.nat(), (steps, pick) => {
        if (steps.length === 0) return
        const of = (pick % steps.length) + 1
        expect(causalSlice(steps, [of]).map(({ step }) => step)).toEqual(needs(steps, of))
      })
    )
  })

  test("goes by causes and by what steps touch where they say so, and else holds all that came before", () => {
    const shapes: ReadonlyArray<Partial<TracedStep>> = [
      { actor: "a" },
      { actor: "b" },
      { actor: "c", cause: 1 },
      { actor: "b" },
      { actor: "c", cause: 4 },
      { actor: "a", cause: 2 }
    ]
    const silent = shapes.map((shape, index) => tracedStep(index + 1, shape))
    const told = silent.map((step) => ({ ...step, touches: [step.actor] }))
    const sliced = (steps: ReadonlyArray<TracedStep>, of: number) => causalSlice(steps, [of]).map(({ step }) => step)

    expect([3, 5, 6].map((of) => sliced(told, of))).toEqual([
      [1, 3],
      [1, 2, 3, 4, 5],
      [1, 2, 6]
    ])
    expect([3, 5].map((of) => sliced(silent, of))).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4, 5]
    ])
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
    const steps = [1, 2, 3].map((step) => tracedStep(step, { touches: step === 2 ? ["b"] : ["a"] }))

    expect(failureSlice(failedTrace(steps)).map(({ step }) => step)).toEqual([1, 3])
    expect(failureSlice(failedTrace(steps, [99])).map(({ step }) => step)).toEqual([1, 3])
    expect(failureSlice(failedTrace(steps, [2, 3])).map(({ step }) => step)).toEqual([1, 2, 3])
    expect(failureSlice(failedTrace([]))).toEqual([])
  })

  test("is made of a long run too", () => {
    expect(failureSlice(longTrace(20_000))).toHaveLength(20_000)
  })
})
