import type { ChartEvent } from "./chart-step.ts"

/** A function of the chart's, whose types xstate checked where the chart was written. */
export type Callable = (...args: ReadonlyArray<unknown>) => unknown

/** Narrows what xstate keeps untyped. The one place where a value is believed to be callable with what we pass. */
export const isCallable = (value: unknown): value is Callable => typeof value === "function"

/** An own or inherited property of anything: xstate hangs `resolve`, `check` and the like on functions. */
export const propertyOf = (value: unknown, key: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function" ? Reflect.get(value, key) : undefined

/** Like `propertyOf`, but blind to the prototype, so that an action named `toString` is not found by accident. */
export const ownPropertyOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

export const isEvent = (value: unknown): value is ChartEvent => typeof propertyOf(value, "type") === "string"
