import { noEarlyCompletion, noEarlySatisfaction, onlyTheEndIsHeld, release } from "./barrier.ts"
import {
  badScriptsFail,
  conservation,
  distinctNames,
  exactMatch,
  noBypass,
  onePrimary,
  registrationOrder
} from "./claiming.ts"
import {
  determinism,
  disposalIsRelease,
  failureIsNoOp,
  refusalIsPure,
  releaseIsIdempotent,
  replaysAreNeutral,
  replaysConsumeNothing
} from "./comparisons.ts"
import { isolation } from "./isolation.ts"
import { cleanClose, keepAlive } from "./lifecycle.ts"
import { accounting, fidelity, freeAfterSatisfied, noIdentity, overlap, retirement, uniqueCall } from "./replay.ts"
import { freeWhenSeen } from "./resend.ts"
import { cancelledPrimary, definition, levelTriggered, liveness, monotonePhases, readToEnd } from "./satisfaction.ts"
import { gateScope, logFirst, logOrder, pacing, queueOrder, sourceFunction, turnOrder } from "./sources.ts"

/**
 * What holds for every run of a history, by name. Each takes the history and what was seen (`runHistory`), and throws an
 * error that says what was different.
 *
 * **Source** inference-server.md, section 11
 *
 * @since 0.1.0
 * @category invariants
 */
export const invariants = {
  onePrimary,
  conservation,
  registrationOrder,
  exactMatch,
  noBypass,
  distinctNames,
  badScriptsFail,
  overlap,
  fidelity,
  retirement,
  noIdentity,
  uniqueCall,
  accounting,
  noEarlyCompletion,
  onlyTheEndIsHeld,
  release,
  noEarlySatisfaction,
  definition,
  monotonePhases,
  cancelledPrimary,
  readToEnd,
  freeAfterSatisfied,
  liveness,
  levelTriggered,
  sourceFunction,
  queueOrder,
  gateScope,
  turnOrder,
  logOrder,
  logFirst,
  pacing,
  cleanClose,
  keepAlive
} as const

/** @since 0.1.0 @category invariants */
export type InvariantName = keyof typeof invariants

/**
 * What holds between several runs, by name. They run the history themselves, changed in the way that must not matter, and
 * reject with an error that says what was different.
 *
 * **Source** inference-server.md, section 11
 *
 * @since 0.1.0
 * @category invariants
 */
export const comparisons = {
  failureIsNoOp,
  replaysConsumeNothing,
  releaseIsIdempotent,
  disposalIsRelease,
  replaysAreNeutral,
  freeWhenSeen,
  refusalIsPure,
  isolation,
  determinism
} as const
