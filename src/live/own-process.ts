import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"

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

/**
 * Starts the program of this process once more, with other words: with a session of its own, so that it stays when this one ends,
 * without input and output, and with the same environment. What it writes to stderr is appended to a file.
 *
 * **Gives** what went wrong, `null` when it was started
 *
 * @since 0.1.0
 * @category layers
 */
export const startDetached = (words: ReadonlyArray<string>, { log }: { readonly log: string }): string | null => {
  try {
    mkdirSync(dirname(log), { recursive: true })
    const file = openSync(log, "a", 0o600)
    try {
      const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? "", ...words], {
        stdio: ["ignore", "ignore", file],
        detached: true
      })
      child.on("error", () => {})
      child.unref()
      return child.pid === undefined ? "the machine refused" : null
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Signals a process, if there still is one. */
export const signalIfThere = (pid: number, signal: "SIGTERM" | "SIGKILL"): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or is another user's by now.
  }
}
