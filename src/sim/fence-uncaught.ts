import { type Callable, isCallable, type Patches } from "./fence-patches.ts"
import { realProcess } from "./fence-process.ts"
import { anyTag, type FenceRun } from "./fence-run.ts"

const events = ["uncaughtException", "unhandledRejection"] as const

/**
 * While a run lasts, errors that nobody catches are asked whose they are: the run's own are a finding of that run, those of
 * runs that are over are dropped, all others go to whoever listened before. The function it gives ends that.
 */
export const watchUncaught = (run: FenceRun): (() => void) => {
  const endings = events.map((event) => {
    const theirs = realProcess.rawListeners(event)
    const mine = (error: unknown, ...rest: ReadonlyArray<unknown>): void => {
      const tag = anyTag()
      if (tag?.run === run) run.uncaught.push(error)
      else if (tag === null) passOn(theirs, [error, ...rest])
      else tag.run.foreignCalls++
    }
    realProcess.removeAllListeners(event)
    realProcess.on(event, mine)
    return () => {
      realProcess.removeListener(event, mine)
      for (const listener of theirs) realProcess.on(event, asListener(listener))
    }
  })
  return () => {
    for (const end of endings) end()
  }
}

type Listener = (...args: ReadonlyArray<unknown>) => void

const asListener =
  (listener: unknown): Listener =>
  (...args) => {
    if (typeof listener === "function") Reflect.apply(listener, realProcess, args)
  }

/** What a microtask throws has lost its context on Node 20 and 22 when the process hears of it. */
export const patchMicrotasks = (patches: Patches): void => {
  patches.method(
    globalThis,
    "queueMicrotask",
    (original): Callable =>
      function (this: unknown, callback) {
        const tag = anyTag()
        if (tag === null || !isCallable(callback)) return Reflect.apply(original, this, [callback])
        const watched = (): void => {
          try {
            callback()
          } catch (error) {
            tag.run.uncaught.push(error)
          }
        }
        return Reflect.apply(original, this, [watched])
      }
  )
}

const passOn = (listeners: ReadonlyArray<unknown>, args: ReadonlyArray<unknown>): void => {
  // As without any listener: it ends the process.
  if (listeners.length === 0) throw args[0]
  for (const listener of listeners) asListener(listener)(...args)
}
