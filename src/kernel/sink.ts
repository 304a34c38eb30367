import type { Ending } from "../domain/plan.ts"

/**
 * Where one response goes. `head` and `write` may gather; `flush` and `finish` hand everything over. `write` answers
 * false when the reader is behind; the owner of the sink reports when it has drained.
 *
 * **Takes** headers as the flat list `name, value, name, value`
 *
 * @since 0.1.0
 * @category services
 */
export interface Sink {
  /** With `chunkPerWrite` each write becomes a chunk of its own. */
  head(status: number, headers: ReadonlyArray<string>, options?: { readonly chunkPerWrite: boolean }): void
  write(bytes: string | Uint8Array): boolean
  /** Bytes that go to the connection as they are, past the framing of HTTP. */
  writeUnframed(bytes: string | Uint8Array): boolean
  flush(): void
  /** `report` is told once whether everything has left to the transport, or the client went before. */
  finish(how: Ending, report?: (isDelivered: boolean) => void): void
}
