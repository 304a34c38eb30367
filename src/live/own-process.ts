import { spawn } from "node:child_process"
import { closeSync } from "node:fs"

/** How long a grandchild stays, if nobody ends it. */
export const grandchildMs = 600_000

/**
 * Ends this process by a signal, as a crash does.
 *
 * **Fails** with `RangeError` for a signal that this machine does not have
 *
 * @since 0.1.0
 * @category layers
 */
export const crashBy = (signal: string): void => {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Closes the standard output of this process; what is written to it later is lost. */
export const closeOwnOutput = (): void => closeSync(stdoutHandle)

const stdoutHandle = 1

/**
 * Starts a process that does nothing for ten minutes: in the process group of this one, holding its standard output open if that
 * is asked for, or with a session of its own.
 *
 * **Gives** its number, `null` when the machine refused
 *
 * @since 0.1.0
 * @category layers
 */
export const startGrandchild = (kind: "group" | "detached" | "holds-stdout"): number | null => {
  const child = spawn(process.execPath, ["-e", `setTimeout(() => {}, ${grandchildMs})`], {
    stdio: ["ignore", kind === "holds-stdout" ? "inherit" : "ignore", "ignore"],
    detached: kind === "detached"
  })
  child.on("error", () => {})
  child.unref()
  return child.pid ?? null
}
