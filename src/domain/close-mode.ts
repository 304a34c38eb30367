import { members, type OptionCheck, oneOf } from "./option-checks.ts"

/**
 * How an agent is ended: its input is ended and it may leave by itself; it is asked to end, and killed after the grace period;
 * it is killed. Each goes on as the next one when its time is over.
 *
 * @since 0.1.0
 * @category models
 */
export type CloseMode = "eof" | "terminate" | "kill"

/** How the options of a close are to be. @since 0.1.0 @category guards */
export const closeOptions: OptionCheck = members({ mode: oneOf(["eof", "terminate", "kill"]) })
