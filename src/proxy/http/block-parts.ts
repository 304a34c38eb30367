import type { FramePart, FrameWish } from "../../wire/frames/frame-reader.ts"
import { makeByteQueue } from "../../wire/http/byte-queue.ts"

/** The bytes of a body in blocks, of which some are frames, as a pump is given them. */
export interface BlockParts {
  /** Takes bytes; `ends` are the ends of blocks in them, in order, as the offsets behind them. */
  push(bytes: Uint8Array, ends: ReadonlyArray<{ readonly at: number; readonly isFrame: boolean }>): void
  /** The open block ends here. */
  end(isFrame: boolean): void
  give(wish: FrameWish): FramePart | null
  /** Gives what there is of the open block, which will not end. */
  rest(): FramePart | null
  /** Forgets what there is of the open block: behind those that have ended the stream cannot go on. */
  forgetOpen(): void
  /** Whether there is nothing to be given, the end of a block neither. */
  isEmpty(): boolean
  /** Whether the beginning of a block has been given, and not its end. */
  isInBlock(): boolean
  /** How many bytes the first block that is not given has so far, those that are given too. */
  firstBytes(): number
  /** How many bytes of the open block have come. */
  openBytes(): number
  heldBytes(): number
}

interface Block {
  readonly totalBytes: number
  readonly isFrame: boolean
}

/** So many that were given are kept at most. */
const leftMax = 1_024

/** @since 0.1.0 @category constructors */
export const makeBlockParts = (kind: string, envelope: FramePart["envelope"]): BlockParts => {
  const queue = makeByteQueue()
  /** Those that have ended; from `first` on they have not been given, or not all of that one. */
  const ended: Array<Block> = []
  let first = 0
  let openBytes = 0
  /** How many bytes of the first block have been given: of the open one where none has ended. */
  let givenBytes = 0

  const end = (isFrame: boolean): void => {
    ended.push({ totalBytes: openBytes, isFrame })
    openBytes = 0
  }

  /** Not taken off one by one: there may be thousands. */
  const leave = (blocks: number): void => {
    first += blocks
    if (first < ended.length && first < leftMax) return
    ended.splice(0, first)
    first = 0
  }

  const give = ({ most, isWhole }: FrameWish): FramePart | null => {
    const isBegun = givenBytes > 0
    let blocks = 0
    let frames = 0
    let bytes = 0
    for (let at = first; at < ended.length; at++) {
      const block = ended[at]
      // What is no frame is given together, as it may be a blank line for every byte.
      if (block === undefined || frames === most || (isWhole && blocks > 0 && (block.isFrame || frames > 0))) break
      blocks++
      bytes += block.totalBytes
      if (block.isFrame) frames++
    }
    const isOpenWanted = isWhole ? isBegun && blocks === 0 : first + blocks === ended.length && frames < most
    const open = isOpenWanted && (openBytes > givenBytes || blocks > 0) ? openBytes : 0
    if (blocks === 0 && open === 0) return null
    const last = open === 0 ? ended[first + blocks - 1] : undefined
    const part: FramePart = {
      bytes: queue.take(bytes + open - givenBytes),
      frames,
      last: last?.isFrame ? { headerBytes: 0, totalBytes: last.totalBytes, kind } : null,
      isWhole: blocks === 1 && frames === 1 && open === 0 && !isBegun,
      envelope
    }
    leave(blocks)
    givenBytes = open
    return part
  }

  return {
    push(bytes, ends) {
      let from = 0
      for (const { at, isFrame } of ends) {
        openBytes += at - from
        from = at
        end(isFrame)
      }
      openBytes += bytes.length - from
      queue.push(bytes)
    },
    end,
    give,
    rest: () => (openBytes > givenBytes ? give({ most: Number.POSITIVE_INFINITY, isWhole: false }) : null),
    forgetOpen() {
      openBytes = first === ended.length ? givenBytes : 0
    },
    isEmpty: () => first === ended.length && openBytes === givenBytes,
    isInBlock: () => givenBytes > 0,
    firstBytes: () => ended[first]?.totalBytes ?? openBytes,
    openBytes: () => openBytes,
    heldBytes: queue.bytes
  }
}
