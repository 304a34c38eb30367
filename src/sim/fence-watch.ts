import { EscapedFence } from "./fence-errors.ts"
import { adviceFor } from "./fence-gates.ts"
import { starterOf } from "./fence-platform.ts"
import { type Allowance, anyTag, currentRun, noteEscape } from "./fence-run.ts"
import { fenceShared } from "./fence-shared.ts"

/** What Node calls the things that no run may start; for each, what we call it, and the allowance. */
const watched = new Map<string, readonly [what: string, allowance: Allowance]>([
  ["Timeout", ["a real timer", "timers"]],
  ["Immediate", ["a real immediate", "timers"]],
  ["TCPCONNECTWRAP", ["a real connection", "net"]],
  ["PIPECONNECTWRAP", ["a real connection to a Unix socket", "net"]],
  ["UDPSENDWRAP", ["a real datagram", "net"]],
  ["GETADDRINFOREQWRAP", ["a real lookup of a name", "dns"]],
  ["QUERYWRAP", ["a real query for a name", "dns"]],
  ["PROCESSWRAP", ["a real process", "child_process"]],
  ["WORKER", ["a real worker", "worker"]],
  ["FSEVENTWRAP", ["watching real files", "fs"]],
  ["STATWATCHER", ["watching real files", "fs"]]
])

let isOwnWork = false

/** Starts a real timer of the run loop itself, which nobody is to take for an escape. */
export const asOwnWork = (start: () => void): void => {
  isOwnWork = true
  try {
    start()
  } finally {
    isOwnWork = false
  }
}

/**
 * Sees what went round the patches: whoever kept Node's own `setTimeout` from before the fence was put up. An exception
 * thrown here would end the process; the run ends at its next step instead.
 */
const see = (type: string): void => {
  const seen = watched.get(type)
  if (seen === undefined) {
    if (!inThread.has(type)) begun++
    return
  }
  if (isOwnWork) return
  if (type !== "Timeout" && type !== "Immediate") begun++
  const [what, allowance] = seen
  const run = anyTag()?.run
  if (run === undefined || run !== currentRun() || run.allow.has(allowance)) return
  if (allowance !== "timers") {
    noteEscape(run, new EscapedFence(what, adviceFor(allowance)))
    return
  }
  const error = new EscapedFence(what, adviceFor(allowance, keptAdvice))
  const starter = starterOf(error.stack ?? "")
  if (starter === "runner") run.runnerTimers++
  else if (starter === "client") noteEscape(run, error)
}

const keptAdvice =
  "its function was kept from before the fence was there: put the fence up before that code is loaded " +
  '(import "llm-understudy/fence" before it, or NODE_OPTIONS="--import llm-understudy/fence")'

/** What begins and is no work of the world. */
const inThread = new Set(["TickObject", "Microtask", "FencedTimeout", "FencedImmediate"])

let begun = 0

/** How much has begun since the process did that may be work of the world; counted while somebody watches. */
export const begunCount = (): number => begun

/** Watches while the run lasts; the function it gives ends that. */
export const watchEscapes = (): (() => void) => fenceShared().tags.watch(see)
