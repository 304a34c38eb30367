/**
 * What was sent of a response, in the end. `reset` is a cut that the plan asked for; `client_closed` is a client or a
 * closing server that ended it earlier.
 *
 * **Source** fault-server.md, section 2
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome = "completed" | "reset" | "stalled" | "client_closed" | "server_error"

/** How a copy settled: permitted to take its last step, or ended before. */
export type Settlement = "crossed" | "cancelled"
