/**
 * How a response ends: `end` is the clean end of an HTTP body; `fin` and `rst` cut the connection; `halfClose` ends our
 * side and goes on reading; `stall` keeps the connection open in silence; `vanish` does not even read any more, and in
 * simulation neither a FIN nor an RST is ever seen.
 *
 * @since 0.1.0
 * @category plans
 */
export type Ending = "end" | "fin" | "rst" | "halfClose" | "stall" | "vanish"

/** Who opens a barrier: the expectation whose call it is, or the server-wide completion gate. */
export type BarrierOwner = "call" | "gate"

/**
 * One thing a response does on the wire. A `write` is one stretch, handed over at once; `events` says how many SSE
 * events it holds, and `isUnframed` bytes go past the framing of HTTP. A `pause` is in milliseconds. After a head with
 * `chunkPerWrite` each write is a chunk of its own, or several: `chunkEnds` says where in its bytes they end.
 *
 * @since 0.1.0
 * @category plans
 */
export type WireStep =
  | {
      readonly kind: "head"
      readonly status: number
      readonly headers: ReadonlyArray<string>
      readonly chunkPerWrite?: boolean
    }
  | {
      readonly kind: "write"
      readonly bytes: string | Uint8Array
      readonly events: number
      readonly isUnframed?: boolean
      readonly chunkEnds?: ReadonlyArray<number>
    }
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "barrier"; readonly name: string; readonly owner: BarrierOwner }

/**
 * Everything one response does, as data. `crossesAt` is the index of the step that may only be taken when the copy has
 * settled as crossed; `steps.length` stands for the ending. `keepAlive` asks for comment frames in a silence. A plan that
 * `isOpen` is not all there is: at its end the copy waits for the next one, and crosses nothing. With the ending `stall` a
 * `heartbeat` breaks the silence, for as long as it is.
 *
 * **Source** DESIGN, section 2
 *
 * @since 0.1.0
 * @category plans
 */
export interface Plan {
  readonly steps: ReadonlyArray<WireStep>
  readonly ending: Ending
  readonly crossesAt: number
  readonly keepAlive: boolean
  readonly isOpen?: boolean
  readonly heartbeat?: Heartbeat
}

/** What says in a silence, at once and then every so many milliseconds, that the connection is alive. It is no event. */
export interface Heartbeat {
  readonly ms: number
  readonly bytes: string
}

/** A stretch in its chunks. */
export const chunksOf = (
  bytes: string | Uint8Array,
  chunkEnds: ReadonlyArray<number> | undefined
): ReadonlyArray<string | Uint8Array> => {
  if (chunkEnds === undefined) return [bytes]
  let from = 0
  return chunkEnds.map((end) => {
    const chunk = typeof bytes === "string" ? bytes.slice(from, end) : bytes.subarray(from, end)
    from = end
    return chunk
  })
}
