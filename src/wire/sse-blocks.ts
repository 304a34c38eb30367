/** Finds blocks in an event stream, wherever its bytes are cut: lines with the empty one behind them. */
export interface BlockFinder {
  /** Reads on. `ended` is called with the offset behind each block that ends, and whether it is an event. */
  scan(bytes: Uint8Array, ended: (at: number, isEvent: boolean) => void): void
  /** The stream is over. Gives whether its last block, which has ended with the last byte, is an event; null where none has. */
  finish(): boolean | null
}

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a
const data = [0x64, 0x61, 0x74, 0x61]
const mark = [0xef, 0xbb, 0xbf]

/**
 * A finder of the blocks of an event stream. An event is a block with a line of data; comments and other lines alone are none, as the
 * standard has it. Lines end with LF, CRLF or CR. Behind the CR of an empty line an LF is waited for unless the line before it ended
 * with a CR alone, since otherwise nobody could tell before the next block comes.
 *
 * **Source** wire-formats.md, sections 1.1 and 1.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const blockFinder = (): BlockFinder => {
  /** How many bytes of a byte-order mark there are; -1 when there is none, or all of it. */
  let markBytes = 0
  /** Without its end. */
  let lineBytes = 0
  /** How many letters of the name of the field are those of `data`; -1 when it is another one, or has been read. */
  let nameBytes = 0
  let isEvent = false
  let isAfterCr = false
  /** Whether the line before this one ended with a CR that no LF followed. */
  let isCrAlone = false
  /** Whether the block ends with the CR before this byte, or with this byte if it is an LF. */
  let isEnding = false

  return {
    scan(bytes, ended) {
      const end = (at: number): void => {
        ended(at, isEvent)
        isEvent = false
      }
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0
        if (isAfterCr) {
          isAfterCr = false
          const isPair = byte === lf
          if (isEnding) {
            isEnding = false
            end(isPair ? at + 1 : at)
          }
          // An LF behind a CR that has ended a block already belongs to the next one, and ends no line of it.
          isCrAlone = !isPair
          if (isPair) continue
        }
        if (byte !== lf && byte !== cr) {
          lineBytes++
          if (markBytes >= 0) {
            markBytes = byte === mark[markBytes] ? markBytes + 1 : -1
            if (markBytes === mark.length) {
              // It belongs to no line.
              lineBytes = 0
              nameBytes = 0
              markBytes = -1
              continue
            }
          }
          if (nameBytes < 0) continue
          if (byte === colon && nameBytes === data.length) isEvent = true
          nameBytes = byte === data[nameBytes] ? nameBytes + 1 : -1
          continue
        }
        const isEmpty = lineBytes === 0
        markBytes = -1
        if (nameBytes === data.length) isEvent = true
        lineBytes = 0
        nameBytes = 0
        isAfterCr = byte === cr
        if (byte === lf) isCrAlone = false
        if (isEmpty && (byte === lf || isCrAlone)) end(at + 1)
        else isEnding = isEmpty
      }
    },
    finish: () => (isEnding ? isEvent : null)
  }
}
