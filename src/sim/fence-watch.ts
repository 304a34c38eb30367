import { createHook } from "node:async_hooks"
import { EscapedFence } from "./fence-errors.ts"
import { type Allowance, anyTag, currentRun, noteEscape } from "./fence-run.ts"

/** What Node calls the things that no run may start, with the allowance for each. */
const watched = new Map<string, Allowance>([
  ["Timeout", "timers"],
  ["Immediate", "timers"],
  ["TCPCONNECTWRAP", "net"],
  ["PIPECONNECTWRAP", "net"],
  ["UDPSENDWRAP", "net"],
  ["GETADDRINFOREQWRAP", "dns"],
  ["QUERYWRAP", "dns"],
  ["PROCESSWRAP", "child_process"],
  ["WORKER", "worker"],
  ["FSEVENTWRAP", "fs"],
  ["STATWATCHER", "fs"]
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
const hook = createHook({
  init(_asyncId, type) {
    const allowance = watched.get(type)
    if (allowance === undefined || isOwnWork) return
    const run = anyTag()?.run
    if (run === undefined || run !== currentRun() || run.allow.has(allowance)) return
    const error = new EscapedFence(
      `a real ${type}`,
      "it went round the fence, by a function that was kept from before: put the fence up before that code is loaded " +
        `(NODE_OPTIONS="--import llm-understudy/fence"), or allow it by name: allow: ["${allowance}"]`
    )
    if (allowance === "timers" && isStartedByPlatform(error.stack ?? "")) return
    noteEscape(run, error)
  }
})

/** Watches while the run lasts; the function it gives ends that. */
export const watchEscapes = (): (() => void) => {
  hook.enable()
  return () => hook.disable()
}

/** Frames between the caller and the timer. */
const timerFrames = /node:(internal\/)?(async_hooks|timers|util|abort_controller|process\/task_queues)/

/** Node's own modules, and the test runner, which writes what a test prints after a timer of its own. */
const platformFrames = /\(?node:|[\\/]node_modules[\\/](@vitest|vitest|tinypool|jest-[\w-]+|@jest)[\\/]/

const isStartedByPlatform = (stack: string): boolean => {
  // The first is the hook itself, in whatever file a bundle put it.
  const [, ...frames] = stack.split("\n").filter((line) => /^\s+at /.test(line))
  const caller = frames.find((line) => !timerFrames.test(line))
  return caller !== undefined && platformFrames.test(caller)
}
