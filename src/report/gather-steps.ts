import type { Draw } from "../kernel/choice-sources.ts"
import type { Op } from "../kernel/op.ts"
import type { RunStep } from "../kernel/sim-kernel.ts"
import type { StepDetail, TracedStep } from "./run-trace.ts"

/** What the steps of a kernel are told as. */
export interface GatherOptions {
  /** `SimKernel.draws`: shows also what was drawn after the last pick. */
  readonly draws?: ReadonlyArray<Draw>
  /** What is known of a step beyond what the kernel knows, by its number. */
  readonly details?: ReadonlyMap<number, StepDetail>
}

/**
 * The steps of a run as reports show them, from `SimKernel.steps()`. Causes become numbers of steps. The sender is who
 * the operation says, or who its channel is named after; of other deliveries it is the actor of the cause. Draws stand at the step
 * during which they were made: the kernel has them at the step that came after.
 *
 * @since 0.1.0
 * @category traces
 */
export const gatherSteps = (
  steps: ReadonlyArray<RunStep>,
  { draws, details }: GatherOptions = {}
): ReadonlyArray<TracedStep> => {
  const byOp = new Map<number, RunStep>()
  const actors = new Set(steps.map(({ op }) => op.actor))
  return steps.map((step, index) => {
    const { op } = step
    byOp.set(op.id, step)
    const cause = op.causedBy === null ? undefined : byOp.get(op.causedBy)
    const planner = op.kind === "deliver" ? cause?.op.actor : undefined
    const from = op.from ?? senderOf(op, actors) ?? planner
    const picked = pickedAt(step)
    const next = steps[index + 1]
    const during = next === undefined ? lateDraws(steps, draws) : next.draws.slice(0, pickedAt(next))
    const before = index === 0 ? step.draws.slice(0, picked) : []
    return {
      step: step.step,
      at: step.at,
      kind: op.kind,
      label: op.label,
      actor: op.actor,
      channel: op.channel ?? null,
      chain: op.chain,
      cause: cause?.step ?? null,
      enabled: step.enabled,
      draws: [...before, ...step.draws.slice(picked), ...during],
      ...(op.touches === undefined ? {} : { touches: op.touches }),
      ...(from === undefined || from === op.actor ? {} : { from }),
      ...details?.get(step.step)
    }
  })
}

/** The name of a channel may tell who sends on it: `c1>server`. */
const senderOf = ({ channel = "", actor }: Op, actors: ReadonlySet<string>): string | undefined => {
  const sender = channel.endsWith(`>${actor}`) ? channel.slice(0, -actor.length - 1) : ""
  return actors.has(sender) ? sender : undefined
}

/** Where among the draws of a step the one that picked it is; behind all of them when nothing was to be picked. */
const pickedAt = ({ draws, enabled }: RunStep): number =>
  enabled > 1 && draws.at(-1)?.label === "schedule" ? draws.length - 1 : draws.length

/** What was drawn after the last pick. */
const lateDraws = (steps: ReadonlyArray<RunStep>, draws: ReadonlyArray<Draw> = []): ReadonlyArray<Draw> => {
  const known = steps.flatMap((step) => step.draws)
  if (steps[0]?.step === 1) return draws.slice(known.length)
  // Where the oldest steps are missing nobody knows how many draws they made, but the draws are the same objects.
  const last = known.at(-1)
  const at = last === undefined ? -1 : draws.lastIndexOf(last)
  return at === -1 ? [] : draws.slice(at + 1)
}
