import { describe, expect, it } from "vitest"
import { alsoSaid, begun, bytesAhead, endingPlan, heldPlan, type SaidPlan } from "../../src/domain/held-plan.ts"
import type { WireStep } from "../../src/domain/plan.ts"

const write = (bytes: string): WireStep => ({ kind: "write", bytes, events: 1 })

const said = (plans: ReadonlyArray<Parameters<typeof alsoSaid>[1]>): SaidPlan => {
  const [first = heldPlan(), ...rest] = plans
  return rest.reduce((before, plan) => alsoSaid(before, plan), alsoSaid(null, first))
}

describe("what is said of an answer", () => {
  it("is one plan in its order, which ends and crosses as the newest says", () => {
    const whole = said([
      heldPlan([write("a"), write("bc")], true),
      heldPlan([], true),
      heldPlan([{ kind: "pause", ms: 1 }, write("d")], true),
      { ...endingPlan("rst"), steps: [write("e"), write("f")], crossesAt: 1 }
    ])

    expect([whole.steps, whole.bytes]).toEqual([6, 6])
    expect(begun(whole)).toEqual({
      steps: [write("a"), write("bc"), { kind: "pause", ms: 1 }, write("d"), write("e"), write("f")],
      ending: "rst",
      crossesAt: 5,
      keepAlive: false
    })
    expect(bytesAhead(begun(whole))).toEqual([6, 5, 3, 3, 2, 1])
  })

  it("copies few steps for each that is said, however many there are, and is no deep structure", () => {
    const count = 4_096
    let before: SaidPlan | null = null
    let copied = 0
    let chunksMax = 0
    for (let number = 0; number < count; number++) {
      const after = alsoSaid(before, heldPlan([write(String(number))]))
      const kept: ReadonlySet<unknown> = new Set(before?.chunks)
      copied += after.chunks.reduce((sum, chunk) => sum + (kept.has(chunk) ? 0 : chunk.length), 0)
      chunksMax = Math.max(chunksMax, after.chunks.length)
      before = after
    }

    expect(copied).toBeLessThan(count * Math.log2(count))
    expect(chunksMax).toBeLessThanOrEqual(Math.log2(count))
    const numbers = before === null ? [] : begun(before).steps.map((step) => step.kind === "write" && step.bytes)
    expect(numbers).toEqual(Array.from({ length: count }, (_, number) => String(number)))
    expect(structuredClone(before)).toEqual(before)
  })
})
