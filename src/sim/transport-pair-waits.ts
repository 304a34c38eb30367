import type { Readable, Writable } from "node:stream"
import type { ByteEnd } from "./byte-pair.ts"

/** One side of a pair, with its streams by what people call them; the streams of a socket have no names. */
export interface PairSide {
  readonly name: string
  readonly reads: ReadonlyArray<{ readonly what: string; readonly stream: Readable; readonly end: ByteEnd }>
  readonly writes: ReadonlyArray<{ readonly what: string; readonly stream: Writable }>
}

/**
 * Who waits for whom at the ends of a pair, one line for each side that waits, or one for both where they wait for each other.
 *
 * @since 0.1.0
 * @category reports
 */
export const pairWaits = (one: PairSide, other: PairSide): ReadonlyArray<string> => {
  const first = waitsOf(one, other)
  const second = waitsOf(other, one)
  const [forOther] = first.forPeer
  const [forOne] = second.forPeer
  const waits = [...first.forPeer, ...second.forPeer]
  const told =
    forOther === undefined || forOne === undefined ? waits : [`${waits.join(", and ")}: they wait for each other`]
  return [...told, ...first.forNetwork, ...second.forNetwork]
}

const waitsOf = (
  { name, reads, writes }: PairSide,
  peer: PairSide
): { readonly forPeer: ReadonlyArray<string>; readonly forNetwork: ReadonlyArray<string> } => {
  const reading = reads.filter(({ stream }) => isReading(stream))
  const deaf = reading.filter(({ end }) => end.isDeaf)
  const read = reading.filter((reader) => !deaf.includes(reader))
  const unread = writes.filter(({ stream }) => stream.writableLength > 0 && !stream.destroyed)
  return {
    forPeer: [
      ...(read.length > 0 ? [`${name} waits for ${peer.name} to write${where(read, " to ")}`] : []),
      ...(unread.length > 0 ? [`${name} waits for ${peer.name} to read${where(unread, " ")}`] : [])
    ],
    forNetwork:
      deaf.length > 0 ? [`${name} waits for its network, which lost what ${peer.name} wrote${where(deaf, " to ")}`] : []
  }
}

/** Somebody has asked for what comes next, and has all that came. */
const isReading = (stream: Readable): boolean =>
  !stream.destroyed &&
  !stream.readableEnded &&
  stream.readableLength === 0 &&
  (stream.readableFlowing === true || stream.listenerCount("readable") > 0)

const where = (streams: ReadonlyArray<{ readonly what: string }>, before: string): string => {
  const names = streams.map(({ what }) => what).filter((what) => what !== "")
  return names.length === 0 ? "" : `${before}${names.join(" or ")}`
}
