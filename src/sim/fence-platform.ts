import type { Callable } from "./fence-patches.ts"

/** What loads modules: Node's loaders, and test runners that have their own. */
const loaderFrames = /node:internal\/modules\/|[\\/]node_modules[\\/](@vitest|vitest|vite|jest-[\w-]+|@jest)[\\/]/

/** Test runners, which keep Node's own timers for themselves. */
const runnerFrames = /[\\/]node_modules[\\/](@vitest|vitest|tinypool|jest-[\w-]+|@jest)[\\/]/

/** Whether a loader has called this function, at first hand: what it reads is a module. */
export const isCalledByLoader = (callee: Callable): boolean => {
  const found: { stack?: unknown } = {}
  Error.captureStackTrace(found, callee)
  return typeof found.stack === "string" && loaderFrames.test(framesOf(found.stack)[0] ?? "")
}

/** Who started something real, by the stack of the hook that saw it: the code of a client, the test runner, or Node itself. */
export const starterOf = (stack: string): "client" | "runner" | "node" => {
  // The first two frames are the watch and the hook that tells it, in whatever file a bundle put them.
  const caller = framesOf(stack)
    .slice(2)
    .find((line) => !timerFrames.test(line))
  if (caller === undefined) return "client"
  if (runnerFrames.test(caller)) return "runner"
  return /\(?node:/.test(caller) ? "node" : "client"
}

/** Frames between the caller and the timer. */
const timerFrames = /node:(internal\/)?(async_hooks|timers|util|abort_controller|process\/task_queues)/

const framesOf = (stack: string): ReadonlyArray<string> => stack.split("\n").filter((line) => /^\s+at /.test(line))

/**
 * How many modules Vitest is fetching for this thread at the moment: its own count, that `vi.dynamicImportSettled` waits for. 0
 * where it does not run. Node's loader needs no count, its reads are seen.
 */
export const loadsOfRunner = (): number => {
  const worker: unknown = Reflect.get(globalThis, "__vitest_worker__")
  if (typeof worker !== "object" || worker === null) return 0
  const modules: unknown = Reflect.get(worker, "resolvingModules")
  return typeof modules === "object" && modules !== null && "size" in modules ? Number(modules.size) : 0
}
