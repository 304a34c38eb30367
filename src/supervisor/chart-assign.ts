import { setContext } from "./chart-run.ts"
import { refuse, type Site } from "./chart-site.ts"
import type { Operation } from "./chart-table.ts"
import { type Callable, isCallable, propertyOf } from "./chart-untyped.ts"

/**
 * Turns `assign(...)`, called with `params`, into an operation.
 *
 * @since 0.1.0
 * @category compiling
 */
export const compileAssign = (action: Callable, params: unknown, site: Site): Operation => {
  const assignment = propertyOf(action, "assignment")
  if (isCallable(assignment)) return assignWhole(assignment, params)
  if (typeof assignment === "object" && assignment !== null) return assignKeys(Object.entries(assignment), params)
  return refuse(site, "assign without an assignment", "Give it a function or an object.")
}

const assignWhole = (assignment: Callable, params: unknown): Operation => {
  const paramsOf = isCallable(params) ? params : () => params
  return (run) => {
    const part = assignment(run.args, paramsOf(run.args))
    // Spreading is three times faster than Object.assign, and gives the same for plain objects.
    setContext(run, { ...run.args.context, ...Object(part) })
  }
}

/** All values are computed from the context before the assignment. */
const assignKeys = (entries: ReadonlyArray<readonly [string, unknown]>, params: unknown): Operation => {
  const paramsOf = isCallable(params) ? params : () => params
  return (run) => {
    const context: Record<string, unknown> = { ...run.args.context }
    const resolved = paramsOf(run.args)
    for (const [key, value] of entries) context[key] = isCallable(value) ? value(run.args, resolved) : value
    setContext(run, context)
  }
}
