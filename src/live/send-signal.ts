import { isSignallablePid } from "../domain/signal-target.ts"
import type { ProcessSignal, SignalOutcome } from "../ports/process-port.ts"
import { codeOf } from "./proc-files.ts"

/**
 * Signals a process, or with `isGroup` all of a group. No error is thrown: that there is nobody is an outcome.
 *
 * @since 0.1.0
 * @category processes
 */
export const sendSignal = (
  pid: number,
  signal: ProcessSignal,
  { isGroup = false }: { readonly isGroup?: boolean } = {}
): SignalOutcome => {
  if (!isSignallablePid(pid)) return { kind: "failed", reason: `${pid} is no process that may be signalled` }
  // Windows has no groups: the process stands for what it started.
  const target = isGroup && process.platform !== "win32" ? -pid : pid
  try {
    process.kill(target, signal)
    return { kind: "sent" }
  } catch (error) {
    if (codeOf(error) === "ESRCH" || codeOf(error) === "ECHILD") return { kind: "gone" }
    return { kind: "failed", reason: codeOf(error) ?? String(error) }
  }
}
