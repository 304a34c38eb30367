import { hasCode } from "../domain/error-like.ts"
import { type CommandIo, exitCodes, type StopSignal } from "./command-io.ts"
import { echoMs } from "./stop-signals.ts"

/** Why a run of an agent ends before its time: a signal, nobody reads what it prints, or it cannot be written. */
export type StopReason = StopSignal | "unread" | "unwritable"

/**
 * The wish to stop. What follows a signal within a moment is the same wish, and while everything is closed, which has its bounds, no
 * signal changes anything.
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentStop {
  /** `null` while there was none. */
  readonly reason: () => StopReason | null
  /** Resolves with it. */
  readonly stopped: Promise<StopReason>
  /** Resolves when stdout has taken, or refused, all that was written so far. */
  printed(): Promise<void>
  /** What a reason is called. */
  text(reason: StopReason): string
  /** From now on Ctrl-C asks this first, and stops only when it gives false. */
  onInterrupt(takes: () => boolean): void
  /** All is closed: what is left is a reader that does not read, and a further signal does not wait for it. */
  over(): void
}

/** @since 0.1.0 @category constructors */
export const heedAgentSignals = (io: CommandIo): AgentStop => {
  let reason: StopReason | null = null
  let heardAt = Number.NEGATIVE_INFINITY
  let isOver = false
  let refusal = ""
  let takes = (): boolean => false
  let settle = (_reason: StopReason): void => {}
  const stopped = new Promise<StopReason>((resolve) => {
    settle = resolve
  })
  const stop = (why: StopReason): void => {
    reason ??= why
    settle(reason)
  }
  io.onSignal(
    (signal) => {
      const isEcho = signal === "SIGINT" && io.now() - heardAt <= echoMs
      if (isEcho) return
      heardAt = io.now()
      if (isOver) io.exit(exitCodes[signal])
      else if (reason === null && !(signal === "SIGINT" && takes())) stop(signal)
    },
    { hangUp: true }
  )
  io.stdout.on("error", (error) => {
    if (hasCode(error, "EPIPE")) return stop("unread")
    refusal = error.message
    stop("unwritable")
  })
  return {
    reason: () => reason,
    stopped,
    printed: () =>
      new Promise((resolve) => {
        io.stdout.write("", (error) => {
          // A refused write is told to its callback first, and then by the event that gives the reason.
          if (error && reason === null) io.stdout.once("error", () => resolve()).once("close", () => resolve())
          else resolve()
        })
      }),
    text: (why) =>
      why === "unread"
        ? "nobody reads stdout any more"
        : why === "unwritable"
          ? `cannot write to stdout: ${refusal}`
          : `stopped by ${why}`,
    onInterrupt(act) {
      takes = act
    },
    over() {
      isOver = true
    }
  }
}

/** The exit code of a run that was stopped. @since 0.1.0 @category models */
export const stopCode = (reason: StopReason): number =>
  reason === "unread" || reason === "unwritable" ? exitCodes.failed : exitCodes[reason]
