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
  /** `chunkEnds` says where in the bytes their chunks end, when they are several. */
  write(bytes: string | Uint8Array, chunkEnds?: ReadonlyArray<number>): boolean
  /** Bytes that go to the connection as they are, past the framing of HTTP. */
  writeUnframed(bytes: string | Uint8Array): boolean
  flush(): void
  /** `report` is told once whether everything has left to the transport, or the client went before. */
  finish(how: Ending, report?: (isDelivered: boolean) => void): void
  /**
   * Where answers share a connection: whether those before this one have to be out first. If so, nothing may be said until
   * `turn` is told, once, that the turn has come, or that it never will.
   */
  awaitTurn?(turn: (comes: boolean) => void): boolean
}
