import nodeTimers from "node:timers"
import type { FenceRun } from "./fence-run.ts"
import { makeTags, type Tags } from "./fence-tags.ts"
import type { RealTimers } from "./fence-timeout.ts"

/**
 * What copies of this package in one process have in common while a fence is up: test runners load modules anew for each file,
 * Jest and some pools of Vitest also in a context with globals of its own. Functions of whichever copy ask here whose code calls.
 */
export interface FenceShared {
  readonly tags: Tags
  /** All replacements of built-in functions. */
  readonly replacements: WeakSet<object>
  current: FenceRun | null
  /** Calls by code of runs that are over. */
  foreignCalls: number
  up: FenceUp | null
}

/** A fence that is up. */
export interface FenceUp {
  readonly real: RealTimers
  /** It was asked for by name: other copies join it instead of taking its place. */
  stays: boolean
  restore(): void
}

/** Its number changes with the shape of what is shared. */
const key = Symbol.for("llm-understudy/fence/2")

let shared: FenceShared = {
  tags: makeTags(),
  replacements: new WeakSet(),
  current: null,
  foreignCalls: 0,
  up: null
}

export const fenceShared = (): FenceShared => shared

/** What another copy has put up, if one has. */
export const sharedOfOthers = (): FenceShared | null => {
  const found: unknown = Reflect.get(nodeTimers, key)
  return isShared(found) && found !== shared ? found : null
}

/** From now on runs of this copy are known to functions of the other, and the other way round. */
export const joinShared = (other: FenceShared): void => {
  shared = other
}

/** Lets other copies find this one; the module is the same object in every context. */
export const publishShared = (): void => {
  Object.defineProperty(nodeTimers, key, { value: shared, configurable: true, enumerable: false })
}

export const withdrawShared = (): void => {
  Reflect.deleteProperty(nodeTimers, key)
}

const isShared = (value: unknown): value is FenceShared =>
  typeof value === "object" && value !== null && "tags" in value && "replacements" in value && "up" in value
