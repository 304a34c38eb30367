import type { PlacedBarrier } from "../../domain/barrier.ts"
import { composePlan } from "../../domain/compose-plan.ts"
import type { BarrierOwner, Plan } from "../../domain/plan.ts"
import type { FaultAnswer } from "./behavior.ts"

/**
 * The plan of what a behaviour does.
 *
 * **Takes** barriers, placed, and headers that the server adds to those of the behaviour
 *
 * @since 0.1.0
 * @category plans
 */
export const faultPlan = (
  { head, headDelayMs, steps, ending, heartbeat }: FaultAnswer,
  terms: {
    readonly barriers: ReadonlyArray<PlacedBarrier>
    readonly owner: BarrierOwner
    readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  }
): Plan =>
  composePlan({
    status: head?.status ?? 0,
    headers: [...(head?.headers ?? []), ...terms.headers].flat(),
    body: head === null ? { kind: "headless" } : { kind: "steps", steps, headDelayMs },
    ending,
    delayMs: null,
    barriers: terms.barriers,
    owner: terms.owner,
    heartbeat
  })
