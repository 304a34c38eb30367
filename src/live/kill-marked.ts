import type { MarkedProcess } from "../domain/owner-mark.ts"
import type { SignalOutcome } from "../ports/process-port.ts"
import { processStat } from "./proc-files.ts"
import { sendSignal } from "./send-signal.ts"

/** Kills a process that was found marked, unless its number has become another's since. @since 0.1.0 @category processes */
export const killMarked = ({ pid, startTime }: MarkedProcess): SignalOutcome =>
  processStat(pid)?.startTime === startTime ? sendSignal(pid, "SIGKILL") : { kind: "gone" }
