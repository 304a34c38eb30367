import { enqueue, list } from "./chart-run.ts"
import { declared, refuse, type Site } from "./chart-site.ts"
import type { Operation } from "./chart-table.ts"
import { type Callable, isCallable, isEvent, propertyOf } from "./chart-untyped.ts"

/**
 * Turns `raise(...)`, called with `params`, into an operation. `after` arrives here too: xstate makes raises of it.
 *
 * @since 0.1.0
 * @category compiling
 */
export const compileRaise = (action: Callable, params: unknown, site: Site): Operation => {
  const event = propertyOf(action, "event")
  const id = propertyOf(action, "id")
  const delay = propertyOf(action, "delay")
  if (!isCallable(event) && !isEvent(event)) return refuse(site, "raise of a name", "Raise an event object.")
  if (delay === undefined) return raiseNow(event, params)
  if (typeof id !== "string") return refuse(site, "a delayed raise without id", 'Name it: raise(..., { id: "retry" }).')
  return raiseLater({ event, id, delay: readDelay(delay, site), params })
}

const raiseNow = (event: unknown, params: unknown): Operation => {
  if (isEvent(event)) return (run) => enqueue(run, event)
  const paramsOf = isCallable(params) ? params : () => params
  const eventOf = isCallable(event) ? event : () => event
  return (run) => {
    const raised = eventOf(run.args, paramsOf(run.args))
    if (!isEvent(raised)) throw new TypeError("a raise computed something that is no event")
    enqueue(run, raised)
  }
}

interface Timer {
  readonly event: unknown
  readonly id: string
  readonly delay: number | Callable
  readonly params: unknown
}

const raiseLater = ({ event, id, delay, params }: Timer): Operation => {
  if (typeof delay === "number" && !isCallable(event)) {
    const raised = Object.freeze({ type: "xstate.raise", params: Object.freeze({ event, id, delay }) })
    return (run) => list(run, raised)
  }
  const paramsOf = isCallable(params) ? params : () => params
  return (run) => {
    const resolved = paramsOf(run.args)
    const raised = isCallable(event) ? event(run.args, resolved) : event
    const ms = isCallable(delay) ? delay(run.args, resolved) : delay
    if (!isEvent(raised)) throw new TypeError(`timer "${id}" computed something that is no event`)
    if (typeof ms !== "number" || Number.isNaN(ms)) throw new TypeError(`the delay of timer "${id}" is no number`)
    list(run, { type: "xstate.raise", params: { event: raised, id, delay: ms } })
  }
}

/** A number of milliseconds, a function of arguments and params, or the name of either. */
const readDelay = (delay: unknown, site: Site): number | Callable => {
  const value = typeof delay === "string" ? declared(site, "delays", delay) : delay
  if (isCallable(value) || (typeof value === "number" && !Number.isNaN(value))) return value
  return refuse(
    site,
    `delay "${String(delay)}" that is no number`,
    "Declare milliseconds or a function that gives them."
  )
}

/**
 * Turns `cancel(...)`, called with `params`, into an operation.
 *
 * @since 0.1.0
 * @category compiling
 */
export const compileCancel = (action: Callable, params: unknown, site: Site): Operation => {
  const sendId = propertyOf(action, "sendId")
  const paramsOf = isCallable(params) ? params : () => params
  if (isCallable(sendId)) {
    return (run) => list(run, { type: "xstate.cancel", params: { sendId: sendId(run.args, paramsOf(run.args)) } })
  }
  if (typeof sendId !== "string") return refuse(site, "cancel without id", "Give it the id of a delayed raise.")
  const cancelled = Object.freeze({ type: "xstate.cancel", params: Object.freeze({ sendId }) })
  return (run) => list(run, cancelled)
}
