import type { Scheduler } from "effect"
import type { OpSpec } from "../kernel/op.ts"
import { makeEffectDispatcher } from "./effect-dispatcher.ts"
import type { EffectFibers } from "./effect-fibers.ts"
import { isPreempted } from "./effect-preemption.ts"
import type { SimPorts } from "./sim-ports.ts"

/**
 * Effect's scheduler in a simulated run: every task that is ready is an operation that may happen next. A fiber yields when it
 * asks for it, by Effect's own count of operations, and with `preempts` wherever the choice source says.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffectScheduler = (
  { choice, clock, plan }: Pick<SimPorts, "choice" | "clock" | "plan">,
  options: { readonly actor: string; readonly preempts: boolean; readonly fibers: EffectFibers }
): Scheduler.Scheduler => {
  const { actor, preempts, fibers } = options
  const op: OpSpec = { kind: "task", label: "effect/task", actor }
  return {
    executionMode: "async",
    shouldYield(fiber) {
      // What it yields to is planned nowhere: a fiber that is woken after the run's end stops before it has done anything.
      if (fibers.isOver()) return true
      const seen = fibers.see(fiber)
      const count = fiber.currentOpCount
      if (count === 1) seen.wokenAtMs = clock.now()
      return (
        count >= fiber.cache.maxOpsBeforeYield ||
        (preempts && isPreempted(seen.place, count, { choice, label: `effect/${actor}/${seen.number}/preempt` }))
      )
    },
    makeDispatcher: () =>
      makeEffectDispatcher((task) => {
        if (fibers.isOver()) return () => {}
        const taken = fibers.planned()
        const forget = plan(0, op, () => {
          taken?.()
          if (!fibers.isOver()) task()
        })
        if (taken === null) return forget
        return () => {
          taken()
          forget()
        }
      })
  }
}
