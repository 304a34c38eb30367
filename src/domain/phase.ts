/**
 * What the handle of an expectation shows, in this order; `Satisfied` and `Abandoned` are final.
 * `Retired` is final too: taken back before anybody claimed it.
 *
 * **Source** inference-server.md, section 4.4
 *
 * @since 0.1.0
 * @category models
 */
export type Phase = "Pending" | "Received" | "Blocked" | "Satisfied" | "Abandoned" | "Retired"
