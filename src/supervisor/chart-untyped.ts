import type { ChartEvent } from "./chart-step.ts"

/**
 * A function of the chart's, whose types xstate checked where the chart was written.
 *
 * @since 0.1.0
 * @category models
 */
export type Callable = (...args: ReadonlyArray<unknown>) => unknown

/**
 * Narrows what xstate keeps untyped. The one place where a value is believed to be callable with what we pass.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCallable = (value: unknown): value is Callable => typeof value === "function"

/**
 * An own or inherited property of anything: xstate hangs `resolve`, `check` and the like on functions.
 *
 * @since 0.1.0
 * @category guards
 */
export const propertyOf = (value: unknown, key: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function" ? Reflect.get(value, key) : undefined

/**
 * Like `propertyOf`, but blind to the prototype, so that an action named `toString` is not found by accident.
 *
 * @since 0.1.0
 * @category guards
 */
export const ownPropertyOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

/**
 * Whether a value has a type, which is all that a chart needs of an event.
 *
 * @since 0.1.0
 * @category guards
 */
export const isEvent = (value: unknown): value is ChartEvent => typeof propertyOf(value, "type") === "string"
