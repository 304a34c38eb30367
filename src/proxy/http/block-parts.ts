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

/** @since 0.1.0 @category constructors */
export const makeBlockParts = (kind: string, envelope: FramePart["envelope"]): BlockParts => {
  const queue = makeByteQueue()
  /** Those that have not been given, or not all of the first one. */
  const ended: Array<Block> = []
  let openBytes = 0
  /** How many bytes of the first block have been given: of the open one where none has ended. */
  let givenBytes = 0

  const end = (isFrame: boolean): void => {
    ended.push({ totalBytes: openBytes, isFrame })
    openBytes = 0
  }

  const give = ({ most, isWhole }: FrameWish): FramePart | null => {
    const isBegun = givenBytes > 0
    let blocks = 0
    let frames = 0
    let bytes = 0
    for (const block of ended) {
      if (frames === most || (isWhole && blocks === 1)) break
      blocks++
      bytes += block.totalBytes
      if (block.isFrame) frames++
    }
    const isOpenWanted = isWhole ? isBegun && blocks === 0 : blocks === ended.length && frames < most
    const open = isOpenWanted && (openBytes > givenBytes || blocks > 0) ? openBytes : 0
    if (blocks === 0 && open === 0) return null
    const last = open === 0 ? ended[blocks - 1] : undefined
    const part: FramePart = {
      bytes: queue.take(bytes + open - givenBytes),
      frames,
      last: last?.isFrame ? { headerBytes: 0, totalBytes: last.totalBytes, kind } : null,
      isWhole: blocks === 1 && frames === 1 && open === 0 && !isBegun,
      envelope
    }
    ended.splice(0, blocks)
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
      openBytes = ended.length === 0 ? givenBytes : 0
    },
    isEmpty: () => ended.length === 0 && openBytes === givenBytes,
    isInBlock: () => givenBytes > 0,
    firstBytes: () => ended[0]?.totalBytes ?? openBytes,
    openBytes: () => openBytes,
    heldBytes: queue.bytes
  }
}
