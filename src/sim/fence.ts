import { syncBuiltinESMExports } from "node:module"
import nodeTimers from "node:timers"
import { patchChance } from "./fence-chance.ts"
import { FenceRefused } from "./fence-errors.ts"
import { patchEscapes } from "./fence-escapes.ts"
import { isCallable, makePatches, type Patches } from "./fence-patches.ts"
import { patchPool } from "./fence-pool.ts"
import { currentRun } from "./fence-run.ts"
import { patchTime } from "./fence-time.ts"
import type { RealTimers } from "./fence-timeout.ts"
import { patchTimers } from "./fence-timers.ts"
import { patchTimersPromises } from "./fence-timers-promises.ts"
import { patchMicrotasks } from "./fence-uncaught.ts"

interface Installed {
  readonly patches: Patches
  readonly real: RealTimers
}

let installed: Installed | null = null

/** Where copies of this file in one process find each other. */
const registryKey = Symbol.for("llm-understudy/fence")

const timerNames = [
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate"
] as const

/**
 * Puts the fence up, once per process: timers, dates, chance, ids, thread-pool work and the ways out of the process ask from
 * then on whose code calls them. Code of a run gets virtual time and draws, all other code the real thing. The first run does
 * it by itself; do it earlier, before clients are loaded, when one of them keeps `setTimeout` for itself.
 *
 * **Fails** with `FenceRefused` when other fake timers are active
 * **Source** simulation.md, sections 4.1, 4.3 and 5.11
 *
 * @since 0.1.0
 * @category simulation
 */
export const installFence = (): void => {
  realTimers()
}

/** Node's own timers; puts the fence up when it is not. */
export const realTimers = (): RealTimers => {
  if (installed === null) replaceOtherCopy()
  const problem = fenceProblem()
  if (problem !== null) throw problem
  if (installed !== null) return installed.real
  const real: RealTimers = { setTimeout, clearTimeout, setImmediate }
  const patches = makePatches()
  installed = { patches, real }
  patchTimersPromises(patches, real)
  patchTimers(patches, real)
  patchTime(patches, real)
  patchChance(patches)
  patchMicrotasks(patches)
  patchPool(patches)
  patchEscapes(patches)
  const entry: Registered = { restore: restoreFence, isBusy: () => currentRun() !== null }
  patches.property(nodeTimers, registryKey, { value: entry, configurable: true, enumerable: false })
  syncBuiltinESMExports()
  return real
}

/**
 * Takes the fence down: every built-in is what it was. Functions that clients have kept go on working, on the real world.
 *
 * **Fails** with `FenceRefused` inside a run
 *
 * @since 0.1.0
 * @category simulation
 */
export const restoreFence = (): void => {
  if (currentRun() !== null) throw new FenceRefused("the fence cannot be taken down while a run is in progress")
  installed?.patches.restore()
  installed = null
  syncBuiltinESMExports()
}

export const isFenceInstalled = (): boolean => installed !== null

/** Why no run can begin, or trust what it did: somebody else has replaced what the fence has to hold. */
export const fenceProblem = (): FenceRefused | null => {
  for (const name of [...timerNames, "Date"]) {
    const value: unknown = Reflect.get(globalThis, name)
    const problem = strangerAt(name, value)
    if (problem !== null) return problem
  }
  return strangerAt("Math.random", Math.random) ?? strangerAt("performance.now", performance.now)
}

const strangerAt = (name: string, value: unknown): FenceRefused | null => {
  if (installed?.patches.owns(value) === true) return null
  const advice = "a simulated run has virtual time of its own"
  if (isCallable(value) && "clock" in value) {
    return new FenceRefused(`${name} is replaced by fake timers: call vi.useRealTimers() or its like first; ${advice}`)
  }
  if (installed === null && isNodes(name, value)) return null
  return new FenceRefused(
    `${name} is replaced by a function that is neither Node's nor ours: restore it first; ${advice}`
  )
}

/** Node's timers are written in JavaScript, so only their other home tells them; dates and chance are the engine's. */
const isNodes = (name: string, value: unknown): boolean => {
  if (name === "performance.now") return true
  if (name === "Date" || name === "Math.random") {
    return isCallable(value) && Function.prototype.toString.call(value).includes("[native code]")
  }
  return value === Reflect.get(nodeTimers, name)
}

interface Registered {
  restore(): void
  isBusy(): boolean
}

const isRegistered = (value: unknown): value is Registered =>
  typeof value === "object" && value !== null && "restore" in value && "isBusy" in value

/** A test runner that loads modules anew for each file leaves the fence of the file before. */
const replaceOtherCopy = (): void => {
  const other: unknown = Reflect.get(nodeTimers, registryKey)
  if (!isRegistered(other)) return
  if (other.isBusy()) {
    throw new FenceRefused("a run of another copy of llm-understudy is in progress in this process: wait for its end")
  }
  other.restore()
}
