import { EscapedFence } from "./fence-errors.ts"
import { type Callable, isCallable } from "./fence-patches.ts"
import { isCalledByLoader } from "./fence-platform.ts"
import { type Allowance, noteEscape, type RunTag, tagFor } from "./fence-run.ts"

/** A call that asks whether it may be made. */
export interface GatedCall {
  readonly tag: RunTag
  readonly what: string
  /** The replacement that was called. */
  readonly callee: Callable
  readonly args: ReadonlyArray<unknown>
}

/** Refuses what the run may not do. */
export type Gate = (call: GatedCall) => void

/** What to do instead, for each thing that a run has to be allowed. */
const instead: Readonly<Record<Allowance, string>> = {
  net: "give the client the simulated network (sim.fetch, sim.dispatcher, sim.connector, sim.socketPair), and start servers by sim.startServer or sim.serve",
  dns: "give the client the simulated network (sim.fetch, sim.dispatcher, sim.connector)",
  fs: "read files before the run, and write them after it",
  child_process: "start processes before the run, or simulate one (sim.stdioPair)",
  worker: "start workers before the run",
  timers: "wait with setTimeout or sim.sleep",
  keys: "make keys before the run"
}

/** The advice of a refusal. */
export const adviceFor = (allowance: Allowance, first: string = instead[allowance]): string =>
  `${first}, or allow it by name: allow: ["${allowance}"]`

/** Throws, and notes on the run, when it lacks the allowance. */
export const gateOf =
  (allowance: Allowance): Gate =>
  ({ tag: { run }, what }) => {
    if (run.allow.has(allowance)) return
    throw noteEscape(run, new EscapedFence(what, adviceFor(allowance)))
  }

/** Lets pass what needs no allowance. */
export const gateUnless =
  (isFree: (args: ReadonlyArray<unknown>) => boolean, gate: Gate): Gate =>
  (call) => {
    if (!isFree(call.args)) gate(call)
  }

const files = gateOf("fs")

/** Files that Node or the test runner read on behalf of an `import()` pass: as jobs of the run, they are waited for. */
export const gateOfFiles: Gate = (call) => {
  if (call.tag.run.allow.has("fs") || !isCalledByLoader(call.callee)) files(call)
}

/** A function that asks its gate first. What `promisify` makes of it asks too. */
export const guarded = (what: string, original: Callable, gate: Gate): Callable => {
  const guard = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
    const tag = tagFor(what)
    if (tag !== null) gate({ tag, what, callee: guard, args })
    return Reflect.apply(original, this, args)
  }
  const promised: unknown = Reflect.get(original, promisifyCustom)
  if (isCallable(promised)) {
    // Node marks what promisify gave by itself, so that it is not wrapped twice.
    const value = promised === original ? guard : guarded(what, promised, gate)
    Object.defineProperty(guard, promisifyCustom, { value, configurable: true })
  }
  return guard
}

/** What `util.promisify` looks for, in every context. */
const promisifyCustom = Symbol.for("nodejs.util.promisify.custom")
