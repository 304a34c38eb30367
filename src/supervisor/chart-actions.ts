import { assign, cancel, raise } from "xstate"
import { compileAssign } from "./chart-assign.ts"
import { compileCancel, compileRaise } from "./chart-raise.ts"
import { list } from "./chart-run.ts"
import { declared, readReference, refuse, type Site } from "./chart-site.ts"
import type { Operation } from "./chart-table.ts"
import { type Callable, isCallable, propertyOf } from "./chart-untyped.ts"

// Told apart by what xstate hangs on them: function names do not survive a bundler.
const resolveAssign = propertyOf(assign({}), "resolve")
const resolveRaise = propertyOf(raise({ type: "" }), "resolve")
const resolveCancel = propertyOf(cancel(""), "resolve")

const routed = "Declare an action that names the receiver; the supervisor routes it."
const requested = "Request work by an action and answer it by an event."
const insteadOf: Readonly<Record<string, string>> = {
  "xstate.enqueueActions": "Use several guarded transitions with lists of actions.",
  "xstate.sendTo": routed,
  "xstate.emit": "Declare an action; the supervisor publishes it.",
  "xstate.spawnChild": requested,
  "xstate.stopChild": requested,
  "xstate.log": "Declare an action; the trace records it."
}

/**
 * Turns one action as xstate keeps it into an operation on a run.
 *
 * @since 0.1.0
 * @category compiling
 */
export const compileAction = (action: unknown, site: Site): Operation => {
  if (isCallable(action)) return compileBuiltIn(action, undefined, site)
  const reference = readReference(action)
  if (reference === null) return refuse(site, "an action that is no name", "Declare it in setup({ actions }).")
  const { name, params } = reference
  const implementation = declared(site, "actions", name)
  if (name.startsWith("xstate.")) return refuse(site, `action name "${name}"`, "Names in xstate.* are xstate's own.")
  if (!isCallable(implementation)) return refuse(site, `action "${name}" that is no function`, "Declare a function.")
  if (propertyOf(implementation, "resolve") !== undefined) return compileBuiltIn(implementation, params, site)
  return compileListed(name, params)
}

const compileBuiltIn = (action: Callable, params: unknown, site: Site): Operation => {
  const resolve = propertyOf(action, "resolve")
  if (resolve === undefined) {
    return refuse(site, "an inline action", "Declare it in setup({ actions }) and name it: traces need the name.")
  }
  if (resolve === resolveAssign) return compileAssign(action, params, site)
  if (resolve === resolveRaise) return compileRaise(action, params, site)
  if (resolve === resolveCancel) return compileCancel(action, params, site)
  const type = String(propertyOf(action, "type"))
  return refuse(site, type.replace("xstate.", ""), insteadOf[type] ?? "Use assign, raise, cancel and declared actions.")
}

/** Actions with fixed params are made once, and shared by all steps. */
const compileListed = (type: string, params: unknown): Operation => {
  if (isCallable(params)) return (run) => list(run, { type, params: params(run.args) })
  const action = Object.freeze({ type, params })
  return (run) => list(run, action)
}
