/** Bytes of a block, about: some frames, so that they are made and checked at the speed of memory. */
const blockBytes = 262_144

const prefixBytes = 4

/** Digits of the id that each frame has. */
const idDigits = 12

/**
 * A stream of frames, as blocks of them. Bodies are JSON, of equal length; each frame of a block differs from the others, and the
 * first one from that of all other blocks.
 */
export interface FrameBlocks {
  readonly frameBytes: number
  readonly framesEach: number
  /** A block to be filled. */
  make(): Buffer
  /** Makes a block the one of this number. */
  number(block: Buffer, number: number): void
}

/** **Takes** the length of a body: at least 80 */
export const frameBlocks = (bodyBytes: number): FrameBlocks => {
  const frameBytes = prefixBytes + bodyBytes
  const framesEach = Math.max(1, Math.round(blockBytes / frameBytes))
  return {
    frameBytes,
    framesEach,
    make() {
      const block = Buffer.alloc(framesEach * frameBytes)
      for (let frame = 0; frame < framesEach; frame++) {
        const at = frame * frameBytes
        block.writeUInt32BE(bodyBytes, at)
        block.write(bodyOf(frame, bodyBytes), at + prefixBytes, "latin1")
      }
      return block
    },
    number: (block, number) => void block.write(idText(number), idAt, "latin1")
  }
}

const head = '{"jsonrpc":"2.0","id":"'

const idAt = prefixBytes + head.length

const idText = (number: number): string => number.toString(16).padStart(idDigits, "0")

/** Text that begins differently in each frame, so that no two of them are told apart by their ids alone. */
const bodyOf = (frame: number, bodyBytes: number): string => {
  const before = `${head}${idText(frame)}","method":"bench","params":"`
  const after = '"}'
  const length = bodyBytes - before.length - after.length
  if (length < 0) throw new Error(`a body has at least ${before.length + after.length} bytes`)
  const text = Array.from(
    { length: Math.min(length, 64) },
    (_, place) => letters[(frame * 7 + place * 11) % letters.length]
  )
  return `${before}${text
    .join("")
    .repeat(Math.ceil(length / 64))
    .slice(0, length)}${after}`
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789 "
