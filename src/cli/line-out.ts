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
  /** A line that is written however far the reader is behind. */
  last(text: string): void
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
  const last = (text: string): void => {
    end()
    if (!isBroken) stream.write(`${text}\n`)
  }
  return {
    line(text) {
      if (isBroken) return
      if (stream.writableLength > behindBytesMax) lost++
      else last(text)
    },
    last,
    end
  }
}
