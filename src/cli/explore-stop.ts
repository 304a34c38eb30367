import type { StopBoard } from "../campaign/stop-board.ts"
import { type CommandIo, exitCodes, type StopSignal } from "./command-io.ts"
import { echoMs } from "./stop-signals.ts"

/** The first signal to stop. */
export interface RunsStop {
  /** `null` while there was none. */
  readonly signal: () => StopSignal | null
  /** Resolves with it. */
  readonly stopped: Promise<void>
}

/**
 * Heeds signals from now on: the first one lets no further run begin, a later one ends the process at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stopRunsOnSignals = (io: CommandIo, board: StopBoard): RunsStop => {
  let first: { readonly signal: StopSignal; readonly at: number } | null = null
  let settle = (): void => {}
  const stopped = new Promise<void>((resolve) => {
    settle = resolve
  })
  io.onSignal((signal) => {
    if (first !== null) {
      if (io.now() - first.at > echoMs) io.exit(exitCodes[signal])
      return
    }
    first = { signal, at: io.now() }
    board.stop()
    settle()
  })
  return { signal: () => first?.signal ?? null, stopped }
}
