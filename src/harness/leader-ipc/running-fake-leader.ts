import type { StreamAddress } from "../../ports/stream-port.ts"
import type { JsonObject } from "../../wire/json.ts"

/** A message of a client, by its number. */
export interface HeardMessage {
  readonly client: number
  readonly message: JsonObject
}

/**
 * A fake leader that listens.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunningFakeLeader extends AsyncDisposable {
  readonly address: StreamAddress
  /** How many clients have connected, and how many connections are open. */
  clients(): { readonly accepted: number; readonly open: number }
  /** What clients have said, in order; the newest 10,000 messages. */
  heard(): ReadonlyArray<HeardMessage>
  /** Says something to every client that is connected. */
  say(message: JsonObject): void
  /** Closes every connection, behind what was written to it, and goes on listening. */
  closeConnections(): void
  /** Stops listening, removes its socket, and closes every connection at once. May be called again. */
  close(): Promise<void>
}
