import { setTimeout as named } from "node:timers"

const timers = process.getBuiltinModule("node:timers")

/** What a run replaces. */
const builtIns = () => ({
  setTimeout,
  clearInterval,
  named,
  ofModule: timers.setTimeout,
  Date,
  constructorOfDates: Date.prototype.constructor,
  random: Math.random,
  now: performance.now,
  hrtime: process.hrtime,
  timeout: AbortSignal.timeout,
  uuid: crypto.randomUUID,
  digest: crypto.subtle.digest
})

/** As long as nothing has run. */
export const before = builtIns()

/** Fails when something is not what it was. */
export const checkRestored = () => {
  const after = builtIns()
  const others = Object.keys(before).filter((name) => before[name] !== after[name])
  for (const name of ["Date", "random"]) {
    if (!Function.prototype.toString.call(after[name]).includes("[native code]")) others.push(`${name} (not Node's)`)
  }
  if (others.length > 0) throw new Error(`still replaced: ${others}`)
}
