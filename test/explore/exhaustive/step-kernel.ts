import type { Clock } from "../../../src/kernel/clock.ts"
import type { SimKernel } from "../../../src/kernel/sim-kernel.ts"

/** A step that is planned. */
export interface Step {
  forget(): void
}

/** A kernel whose steps may happen in any order; no time passes. */
export interface StepKernel {
  plan(
    step: { readonly label: string; readonly actor: string; readonly touches: ReadonlyArray<string> },
    happen: () => void
  ): Step
  /** What is planned. All of it may happen next; two of one actor have different labels. */
  planned(): ReadonlyArray<string>
}

export const stepKernel = (kernel: SimKernel): StepKernel => ({
  plan: (step, happen) => ({ forget: kernel.plan(0, { kind: "task", ...step }, happen) }),
  planned() {
    const planned = kernel.enabled().map(({ label, actor }) => `${label} ${actor}`)
    if (planned.length !== kernel.planned() || new Set(planned).size !== planned.length)
      throw new Error(`planned steps cannot be told apart: ${planned.join(", ")}`)
    return planned.sort()
  }
})

/**
 * The clock of the server in such a world. What it postpones is a step that may touch every client; what it would do later,
 * and that is keep-alive comments alone, never falls due.
 */
export const stepClock = (kernel: StepKernel, clients: ReadonlyArray<string>): Clock => ({
  now: () => 0,
  wallMs: () => 0,
  arm(ms, label, fire) {
    if (ms > 0) return () => {}
    const step = kernel.plan({ label, actor: "server", touches: ["server", ...clients] }, fire)
    return () => step.forget()
  }
})
