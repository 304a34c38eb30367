import type { JsonObject } from "../../wire/json.ts"

/** As whom a client registers with a leader. */
export interface ConnectLeaderOptions {
  /** Default `understudy`. */
  readonly clientType?: string
  /** Default `stdio`. */
  readonly mode?: "headless" | "stdio"
  /** What the client can do, as in `{ fs_read: true }`. Default: nothing. */
  readonly capabilities?: JsonObject
  /** Gives up while it is not ready; what is open stays open. */
  readonly signal?: AbortSignal
}
