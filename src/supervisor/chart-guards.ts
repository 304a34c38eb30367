import { and, not, or, stateIn } from "xstate"
import { declared, readReference, refuse, type Site } from "./chart-site.ts"
import type { Guard } from "./chart-table.ts"
import { isCallable, propertyOf } from "./chart-untyped.ts"

// Told apart by what xstate hangs on them: function names do not survive a bundler.
const checkAnd = propertyOf(and([]), "check")
const checkOr = propertyOf(or([]), "check")
const checkNot = propertyOf(not(""), "check")
const checkStateIn = propertyOf(stateIn(""), "check")

/**
 * Turns a guard as xstate keeps it into one function. `within` holds the named guards that it is part of.
 *
 * @since 0.1.0
 * @category compiling
 */
export const compileGuard = (guard: unknown, site: Site, within: ReadonlyArray<string> = []): Guard => {
  if (isCallable(guard)) return compileCombined(guard, site, within)
  const reference = readReference(guard)
  if (reference === null) return refuse(site, "a guard that is no name", "Declare it in setup({ guards }) and name it.")
  const { name, params } = reference
  const test = declared(site, "guards", name)
  if (within.includes(name)) return refuse(site, `guard "${name}" that contains itself`, "Break the circle.")
  if (!isCallable(test)) return refuse(site, `guard "${name}" that is no function`, "Declare a function.")
  if (propertyOf(test, "check") !== undefined) return compileCombined(test, site, [...within, name])
  return isCallable(params) ? (args) => test(args, params(args)) : (args) => test(args, params)
}

const compileCombined = (guard: unknown, site: Site, within: ReadonlyArray<string>): Guard => {
  const check = propertyOf(guard, "check")
  if (check === undefined) return refuse(site, "an inline guard", "Declare it in setup({ guards }) and name it.")
  if (check === checkStateIn) return refuse(site, "stateIn", "Put the transition on the state that is meant.")
  const guards = propertyOf(guard, "guards")
  const parts = Array.isArray(guards) ? guards.map((part: unknown) => compileGuard(part, site, within)) : []
  const [first] = parts
  if (check === checkAnd) return allOf(parts)
  if (check === checkOr) return anyOf(parts)
  if (check === checkNot && first !== undefined) return (args) => !first(args)
  return refuse(site, "an unknown kind of guard", "Use and, or, not and names.")
}

const allOf =
  (parts: ReadonlyArray<Guard>): Guard =>
  (args) => {
    for (const part of parts) if (!part(args)) return false
    return true
  }

const anyOf =
  (parts: ReadonlyArray<Guard>): Guard =>
  (args) => {
    for (const part of parts) if (part(args)) return true
    return false
  }
