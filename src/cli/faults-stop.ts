import { type CommandIo, exitCodes, type StopSignal } from "./command-io.ts"
import { echoMs } from "./stop-signals.ts"

/** The first signal to stop. */
export interface FaultsStop {
  /** Its exit code, `null` while there was none. */
  readonly code: () => number | null
  /** Resolves with it. */
  readonly stopped: Promise<number>
  /** All is closed: what is left is a reader that does not read, and a further signal does not wait for it. */
  closed(): void
}

/**
 * Heeds signals from now on. Those that come while the server closes are ignored.
 *
 * **Source** fault-server.md, section 4.3
 *
 * @since 0.1.0
 * @category constructors
 */
export const heedSignals = (io: CommandIo): FaultsStop => {
  let first: { readonly signal: StopSignal; readonly at: number } | null = null
  let isClosed = false
  let settle = (_code: number): void => {}
  const stopped = new Promise<number>((resolve) => {
    settle = resolve
  })
  io.onSignal((signal) => {
    if (first === null) {
      first = { signal, at: io.now() }
      settle(exitCodes[signal])
    } else if (isClosed && io.now() - first.at > echoMs) io.exit(exitCodes[first.signal])
  })
  return {
    code: () => (first === null ? null : exitCodes[first.signal]),
    stopped,
    closed() {
      isClosed = true
      io.toldToStop?.()
    }
  }
}
