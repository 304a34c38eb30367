import type { Writable } from "node:stream"

/** A reader that is further behind than this loses lines: the log must not fill the memory of the server. */
export const behindBytesMax = 8 * 1024 * 1024

/**
 * Lines to a stream whose reader may be slow or gone.
 *
 * @since 0.1.0
 * @category services
 */
export interface LineOut {
  line(text: string): void
  /** What comes now are the last words, which are few: they are written however far the reader is behind. */
  closing(): void
  /** Says how many lines were lost, if any. */
  end(): void
}

/**
 * **Takes** `dropped`: the line that stands for lines which were lost; `broken`: told once, when the reader is gone, after
 * which nothing is written any more
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLineOut = (
  stream: Writable,
  tell: { readonly dropped: (count: number) => string; readonly broken: (reason: string) => void }
): LineOut => {
  let isBroken = false
  let isClosing = false
  let lost = 0
  stream.on("error", (error) => {
    if (isBroken) return
    isBroken = true
    tell.broken(error.message)
  })
  const end = (): void => {
    if (!isBroken && lost > 0) stream.write(`${tell.dropped(lost)}\n`)
    lost = 0
  }
  return {
    line(text) {
      if (isBroken) return
      if (!isClosing && stream.writableLength > behindBytesMax) {
        lost++
        return
      }
      end()
      stream.write(`${text}\n`)
    },
    closing() {
      isClosing = true
    },
    end
  }
}
