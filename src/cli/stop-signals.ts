import { type CommandIo, exitCodes } from "./command-io.ts"

/** A wish to stop, from a signal or from inside. */
export interface StopWish {
  readonly isWished: () => boolean
  /** Resolves with the first wish. */
  readonly wished: Promise<void>
  wish(): void
}

/**
 * One Ctrl-C may come twice: from the terminal, and from a wrapper such as `npm start` that passes it on. What follows
 * the first signal within this time is the same wish.
 */
export const echoMs = 300

/**
 * Turns signals into a wish to stop. A second signal ends the process at once.
 *
 * **Takes** `hangUp`: the end of its terminal is one of them
 *
 * @since 0.1.0
 * @category constructors
 */
export const stopOnSignals = (io: CommandIo, options: { readonly hangUp?: boolean } = {}): StopWish => {
  let isWished = false
  let firstAt = Number.NEGATIVE_INFINITY
  let resolve = (): void => {}
  const wished = new Promise<void>((settle) => {
    resolve = settle
  })
  const wish = (): void => {
    isWished = true
    io.toldToStop?.()
    resolve()
  }
  io.onSignal((signal) => {
    if (isWished && io.now() - firstAt > echoMs) io.exit(exitCodes[signal])
    if (!isWished) firstAt = io.now()
    wish()
  }, options)
  return { isWished: () => isWished, wished, wish }
}
