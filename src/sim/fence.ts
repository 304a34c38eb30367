import { syncBuiltinESMExports } from "node:module"
import nodeTimers from "node:timers"
import { patchChance } from "./fence-chance.ts"
import { FenceRefused } from "./fence-errors.ts"
import { patchEscapes } from "./fence-escapes.ts"
import { patchFiles } from "./fence-files.ts"
import { patchKeys } from "./fence-keys.ts"
import { warnOfCopies } from "./fence-named-imports.ts"
import { isCallable, makePatches, type Patches } from "./fence-patches.ts"
import { patchPool } from "./fence-pool.ts"
import { realProcess } from "./fence-process.ts"
import { currentRun } from "./fence-run.ts"
import { fenceShared, joinShared, publishShared, sharedOfOthers, withdrawShared } from "./fence-shared.ts"
import { patchTime } from "./fence-time.ts"
import type { RealTimers } from "./fence-timeout.ts"
import { patchTimers } from "./fence-timers.ts"
import { patchTimersPromises } from "./fence-timers-promises.ts"
import { patchMicrotasks } from "./fence-uncaught.ts"

interface Installed {
  readonly patches: Patches
  readonly real: RealTimers
  /** The fence is that of another copy, and this one has added what only its own context has. */
  readonly isGuest: boolean
}

let installed: Installed | null = null
let stays = false

/** As they were before the first fence: fake timers that were turned off late may have put ours back since. */
let realBefore: RealTimers | null = null

/** Made once: to make them anew for each run would cost more than most runs. */
let patches: Patches | null = null

const timerNames = [
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate"
] as const

/**
 * Puts the fence up for good: timers, dates, chance, ids, thread-pool work and the ways out of the process ask from then on
 * whose code calls them. Code of a run gets virtual time and draws, all other code the real thing. Whoever runs something does it by
 * itself, for as long as that lasts; do it earlier, before clients are loaded, when one of them keeps `setTimeout` for itself.
 *
 * **Fails** with `FenceRefused` when other fake timers are active
 * **Source** simulation.md, sections 4.1, 4.3 and 5.11
 *
 * @since 0.1.0
 * @category simulation
 */
export const installFence = (): void => {
  realTimers()
  stays = true
  const { up } = fenceShared()
  if (up !== null) up.stays = true
}

/** How many need the fence that the first of them has put up. */
let holders = 0

/**
 * Does `body` behind the fence. What was put up for it is taken down after it, and after all that goes on beside it.
 *
 * **Fails** with `FenceRefused` when other fake timers are active
 *
 * @since 0.1.0
 * @category simulation
 */
export const whileFenced = async <A>(body: () => Promise<A>): Promise<A> => {
  // Somebody has put it up without saying until when.
  if (installed !== null && holders === 0) return body()
  realTimers()
  holders++
  try {
    return await body()
  } finally {
    holders--
    if (holders === 0 && !stays && currentRun() === null) restoreFence()
  }
}

/** Node's own timers; puts the fence up when it is not. */
export const realTimers = (): RealTimers => {
  if (installed === null) meetOtherCopy()
  const problem = fenceProblem()
  if (problem !== null) throw problem
  if (installed !== null) return installed.real
  const shared = fenceShared()
  const isGuest = shared.up !== null
  const real = shared.up?.real ?? realBefore ?? timersNow()
  realBefore = real
  patches ??= patchesOf(real)
  patches.put()
  installed = { patches, real, isGuest }
  if (!isGuest) {
    shared.up = { real, stays: false, restore: restoreFence }
    publishShared()
  }
  syncBuiltinESMExports()
  warnOfCopies()
  return real
}

const patchesOf = (real: RealTimers): Patches => {
  const made = makePatches(() => fenceShared().replacements)
  patchTimersPromises(made, real)
  patchTimers(made, real)
  patchTime(made, real)
  patchChance(made)
  patchKeys(made)
  patchMicrotasks(made)
  patchPool(made)
  patchEscapes(made)
  patchFiles(made)
  return made
}

const timersNow = (): RealTimers => {
  const { setTimeout, clearTimeout, setImmediate } = globalThis
  return { setTimeout, clearTimeout, setImmediate, monotonic: realProcess.hrtime.bigint }
}

/**
 * Takes the fence down: every built-in is what it was. Functions that clients have kept go on working: in a run that comes later
 * they ask again whose code calls them.
 *
 * **Fails** with `FenceRefused` inside a run
 *
 * @since 0.1.0
 * @category simulation
 */
export const restoreFence = (): void => {
  if (currentRun() !== null) throw new FenceRefused("the fence cannot be taken down while a run is in progress")
  installed?.patches.restore()
  if (installed?.isGuest === false) {
    fenceShared().up = null
    withdrawShared()
  }
  installed = null
  stays = false
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
  if (isCallable(value) && fenceShared().replacements.has(value)) return null
  const advice = "a simulated run has virtual time of its own"
  if (isCallable(value) && "clock" in value) {
    return new FenceRefused(`${name} is replaced by fake timers: ${realAgain} first; ${advice}`)
  }
  if (installed === null && isNodes(name, value)) return null
  return new FenceRefused(
    `${name} is replaced by a function that is neither Node's nor ours: restore it first (${realAgain}); ${advice}`
  )
}

const realAgain = "call vi.useRealTimers(), jest.useRealTimers() or mock.timers.reset()"

/** Node's timers are written in JavaScript, so only their other home tells them; dates and chance are the engine's. */
const isNodes = (name: string, value: unknown): boolean => {
  if (name === "performance.now") return true
  if (name === "Date" || name === "Math.random") {
    return isCallable(value) && Function.prototype.toString.call(value).includes("[native code]")
  }
  // The mock of node:test replaces both homes, by functions of other names.
  return value === Reflect.get(nodeTimers, name) && isCallable(value) && value.name === name
}

/**
 * A test runner that loads modules anew for each file leaves the fence of the file before; one that was put up to stay, for
 * the whole process, is joined.
 */
const meetOtherCopy = (): void => {
  const other = sharedOfOthers()
  if (other === null || other.up === null) return
  if (other.up.stays) {
    joinShared(other)
    return
  }
  if (other.current !== null) {
    throw new FenceRefused("a run of another copy of llm-understudy is in progress in this process: wait for its end")
  }
  other.up.restore()
}
