import { AsyncLocalStorage, createHook, executionAsyncResource } from "node:async_hooks"
import type { RunTag } from "./fence-run.ts"

/** Whose code it is that runs, carried on to all that comes of it: promises, timers, and what Node does for it. */
export interface Tags {
  run<A>(tag: RunTag, body: () => A): A
  getStore(): RunTag | undefined
  /** Tells, until the function that it gives is called, what Node calls everything that begins, but promises. */
  watch(see: (type: string) => void): () => void
}

const tagKey = Symbol("llm-understudy/tag")

interface Tagged {
  [tagKey]?: RunTag
}

/** From this version on Node carries a context along by itself, and no hook is as fast. */
const carryingSince = 24

/**
 * An `AsyncLocalStorage` that tells what begins. Where Node would need a hook on every promise for each of the two, it is one hook.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeTags = (): Tags =>
  Number.parseInt(process.versions.node, 10) >= carryingSince ? carriedByNode() : carriedByHook()

const carriedByHook = (): Tags => {
  const watching = new Set<(type: string) => void>()
  const hook = createHook({
    init(_asyncId, type, _triggerAsyncId, resource: Tagged) {
      const current: Tagged = executionAsyncResource()
      const tag = current[tagKey]
      if (tag !== undefined) resource[tagKey] = tag
      if (type !== "PROMISE") for (const see of watching) see(type)
    }
  })
  return {
    run(tag, body) {
      // For good: code of a run that is over has its tag too.
      hook.enable()
      const current: Tagged = executionAsyncResource()
      const before = current[tagKey]
      current[tagKey] = tag
      try {
        return body()
      } finally {
        if (before === undefined) delete current[tagKey]
        else current[tagKey] = before
      }
    },
    getStore() {
      const current: Tagged = executionAsyncResource()
      return current[tagKey]
    },
    watch(see) {
      hook.enable()
      watching.add(see)
      return () => void watching.delete(see)
    }
  }
}

const carriedByNode = (): Tags => {
  const storage = new AsyncLocalStorage<RunTag>()
  return {
    run: (tag, body) => storage.run(tag, body),
    getStore: () => storage.getStore(),
    watch(see) {
      const hook = createHook({
        init(_asyncId, type) {
          if (type !== "PROMISE") see(type)
        }
      })
      hook.enable()
      return () => void hook.disable()
    }
  }
}
