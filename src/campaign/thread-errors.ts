import { isRecord } from "../domain/json.ts"
import { type Difference, NotDeterministic, type RunDifferences } from "../explore/not-deterministic.ts"
import type { SeenStep } from "../explore/watched-choice.ts"
import { FenceRefused } from "../sim/fence-errors.ts"
import { ModuleRefused } from "./module-refused.ts"

/**
 * A thread ended before its work was done: the module or a program called `process.exit`, or threw what nobody caught.
 *
 * @since 0.1.0
 * @category errors
 */
export class ThreadLost extends Error {
  readonly _tag = "ThreadLost"
  constructor(message: string) {
    super(message)
    this.name = "ThreadLost"
  }
}

/** An error of a thread that has no class here; the tag is that which it had there. */
export class ThreadFailed extends Error {
  readonly _tag: string
  constructor(tag: string, message: string) {
    super(message)
    this.name = tag
    this._tag = tag
  }
}

/** What was wrong in a thread, as data. */
export interface ThreadProblem {
  readonly tag: string
  readonly message: string
  /** Of a program that is not deterministic: where its runs differ. */
  readonly differences: (RunDifferences & { readonly run: number }) | null
}

/** An error on its way out of a thread. */
export const problemOf = (error: unknown): ThreadProblem => {
  if (!(error instanceof Error)) return { tag: "thrown", message: String(error), differences: null }
  const { message, stack = message } = error
  if (error instanceof NotDeterministic) {
    const { _tag: tag, run, draw, step, ends } = error
    return { tag, message, differences: { run, draw, step: plainDifference(step), ends } }
  }
  const tag = isRecord(error) && typeof error["_tag"] === "string" ? error["_tag"] : null
  return tag === null ? { tag: error.name, message: stack, differences: null } : { tag, message, differences: null }
}

/** An operation that was planned has more than its data, which cannot pass. */
const plainDifference = (step: Difference<SeenStep> | null): Difference<SeenStep> | null =>
  step === null ? null : { ...step, first: plainStep(step.first), second: plainStep(step.second) }

const plainStep = (step: SeenStep | null): SeenStep | null => {
  if (step === null) return null
  const { id, kind, label, actor, from, channel, touches, due, chain, causedBy, nth } = step.op
  return { ...step, op: { id, kind, label, actor, from, channel, touches, due, chain, causedBy, nth } }
}

/** The error that it was there. */
export const errorOf = ({ tag, message, differences }: ThreadProblem): Error => {
  if (differences !== null) return new NotDeterministic(differences.run, differences)
  if (tag === "ModuleRefused") return new ModuleRefused(message)
  if (tag === "FenceRefused") return new FenceRefused(message)
  return new ThreadFailed(tag, message)
}
