/** What can be asked of a process before it has started, the mildest first. The last two are equally strong. */
export type EarlyRequest = "terminate" | "close" | "kill" | "drop"

const ranks: Readonly<Record<EarlyRequest, number>> = { terminate: 1, close: 2, kill: 3, drop: 3 }

/** The stronger of two requests, the earlier of two that are equally strong. @since 0.1.0 @category processes */
export const stronger = (earlier: EarlyRequest | null, later: EarlyRequest): EarlyRequest =>
  earlier !== null && ranks[earlier] >= ranks[later] ? earlier : later
