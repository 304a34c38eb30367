import nodeOs from "node:os"
import { type Callable, isCallable, type Patches } from "./fence-patches.ts"
import { anyTag, type RunTag } from "./fence-run.ts"

/** The clocks of a run, in milliseconds. */
export interface RunClocks {
  uptimeMs(tag: RunTag): number
  wallMs(tag: RunTag): number
}

/** What reads a clock inside Node, and so goes round `Date` and `performance.now`. */
export const patchReadings = (patches: Patches, clocks: RunClocks): void => {
  const measures: unknown = Object.getPrototypeOf(performance)
  if (typeof measures === "object" && measures !== null) {
    patches.method(measures, "mark", (original) => mark(original, clocks))
    patches.method(measures, "measure", (original) => measure(original, clocks))
    patches.method(measures, "eventLoopUtilization", (original) => inside(original, () => ({ ...idle })))
    patches.method(measures, "toJSON", (original) => toJson(original))
  }
  patches.method(nodeOs, "uptime", (original) => inside(original, (tag) => clocks.uptimeMs(tag) / 1_000))
  patches.getter(Event.prototype, "timeStamp", (original) => timeStamp(original, clocks))
  patches.getter(Intl.DateTimeFormat.prototype, "format", (original) => format(original, clocks))
  patches.method(Intl.DateTimeFormat.prototype, "formatToParts", (original) => dated(original, clocks))
}

const inside = (original: Callable, answer: (tag: RunTag) => unknown): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    return tag === null ? Reflect.apply(original, this, args) : answer(tag)
  }

/** Computing takes no virtual time. */
const idle = { idle: 0, active: 0, utilization: 0 }

const mark = (original: Callable, { uptimeMs }: RunClocks): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    const [name, options] = args
    const isTimed = isObject(options) && Reflect.get(options, "startTime") !== undefined
    if (tag === null || isTimed) return Reflect.apply(original, this, args)
    return Reflect.apply(original, this, [name, { ...(isObject(options) ? options : {}), startTime: uptimeMs(tag) }])
  }

/** `measure(name, { start, end, duration })` or `measure(name, startMark, endMark)`: without an end it ends now. */
const measure = (original: Callable, { uptimeMs }: RunClocks): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    const [name, from, to] = args
    if (tag === null || to !== undefined) return Reflect.apply(original, this, args)
    if (!isObject(from)) return Reflect.apply(original, this, [name, from, uptimeMs(tag)])
    const hasEnd = Reflect.get(from, "end") !== undefined
    const hasLength = Reflect.get(from, "start") !== undefined && Reflect.get(from, "duration") !== undefined
    return Reflect.apply(original, this, [name, hasEnd || hasLength ? from : { ...from, end: uptimeMs(tag) }])
  }

const toJson = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const told = Reflect.apply(original, this, args)
    if (anyTag() === null || !isObject(told)) return told
    return { ...told, timeOrigin: performance.timeOrigin, eventLoopUtilization: { ...idle } }
  }

/** The moment at which somebody asks first: when an event was made, its maker has kept from us. */
const timeStamp = (original: Callable, { uptimeMs }: RunClocks): Callable => {
  const seen = new WeakMap<object, number>()
  return function (this: unknown) {
    const tag = anyTag()
    const real = Reflect.apply(original, this, [])
    if (tag === null || !isObject(this)) return real
    const at = seen.get(this) ?? uptimeMs(tag)
    seen.set(this, at)
    return at
  }
}

/** The getter gives a function that holds its formatter, the same each time. */
const format = (original: Callable, clocks: RunClocks): Callable => {
  const known = new WeakMap<object, Callable>()
  return function (this: unknown) {
    const bound = Reflect.apply(original, this, [])
    if (anyTag() === null || !isCallable(bound)) return bound
    const made = known.get(bound) ?? dated(bound, clocks)
    known.set(bound, made)
    return made
  }
}

/** A function whose first argument is a date, by default this moment. */
const dated = (original: Callable, { wallMs }: RunClocks): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    const [date = tag === null ? undefined : wallMs(tag)] = args
    return Reflect.apply(original, this, [date])
  }

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
