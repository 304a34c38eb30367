import type { LockTable } from "../../ports/lock-table.ts"
import type { HarnessWorld } from "../harness-world.ts"

/**
 * What leaders are driven in, live or simulated.
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderWorld extends HarnessWorld {
  readonly locks: LockTable
}
