import { arrivalBarrier } from "./arrival-barrier.ts"
import { barrierHolds } from "./barrier.ts"
import { callsSettle } from "./calls-settle.ts"
import { cancelled } from "./cancel.ts"
import { noDeadlock } from "./deadlock.ts"
import type { Oracle } from "./monitor.ts"
import { oneClaim } from "./one-claim.ts"
import { replayFidelity } from "./replay.ts"
import { requestsSettle } from "./requests-settle.ts"
import { resourcesClosed } from "./resources-closed.ts"
import { resumeSuffix } from "./resume-suffix.ts"
import { type RetryBudget, retryBudget } from "./retry-budget.ts"
import { streamTermination } from "./stream-termination.ts"
import { type ToolScope, toolsOnce } from "./tools-once.ts"

/** What the ready oracles are strict about; all times are in milliseconds of virtual time. */
export interface ReadyOptions {
  /** From an abort until the call settles. Default 0: in the same moment. */
  readonly cancelMsMax?: number
  /** Default: no budget is judged. */
  readonly retries?: RetryBudget
  readonly tools?: ToolScope
}

/**
 * All oracles that need no knowledge of the program.
 *
 * @since 0.1.0
 * @category oracles
 */
export const readyOracles = ({ cancelMsMax = 0, retries, tools = {} }: ReadyOptions = {}): ReadonlyArray<Oracle> => [
  oneClaim(),
  replayFidelity(),
  barrierHolds(),
  arrivalBarrier(),
  cancelled({ settlesWithinMs: cancelMsMax }),
  ...(retries === undefined ? [] : [retryBudget(retries)]),
  streamTermination(),
  toolsOnce(tools),
  resumeSuffix(),
  noDeadlock(),
  callsSettle(),
  requestsSettle(),
  resourcesClosed()
]
