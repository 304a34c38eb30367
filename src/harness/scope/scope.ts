import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { Cancelled, CleanupFailed, ResourceLeak } from "../../domain/harness-scope-errors.ts"
import { releaseMsDefault } from "../../domain/scope-limits.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import type { Acquisition, Holding } from "./acquisition.ts"
import { type HeldResource, type ScopeActor, scopeKind } from "./scope-actor.ts"

/**
 * A lifetime that owns resources and inner scopes.
 *
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category services
 */
export interface Scope {
  readonly name: string
  isOpen(): boolean
  /**
   * Gets something that is given back when the scope closes. It is registered before anything is waited for.
   *
   * **Fails** with what `start` fails with, when nothing is to be given back; with `Cancelled` when the scope was closed in the
   * meantime: what had been got is given back, and what the interrupted start failed with is the cause; with `InvalidOption` when it was closed before
   */
  acquire<A>(name: string, acquisition: Acquisition<A>): Promise<Holding<A>>
  /** Has this done when the scope closes. The function it gives takes that back. */
  defer(name: string, finalizer: () => Promise<void> | void, options?: { readonly boundMs?: number }): () => void
  /** A scope that closes with this one, if not before. */
  open(name: string): Scope
  /**
   * Gives everything back, the newest first, each once and within its bound, whatever the others do. A second call waits for the
   * first.
   *
   * **Fails** with `CleanupFailed`, which names each resource that something went wrong with, and with `ResourceLeak` when that is all
   */
  close(): Promise<void>
}

/** What a scope runs in. */
export interface ScopeWorld {
  readonly supervisor: Supervisor
  /** Looks for what is left when the outermost scope has given everything back. */
  check(): Promise<ReadonlyArray<Error>>
}

/** @since 0.1.0 @category constructors */
export const makeScope = (world: ScopeWorld, name: string): Scope => {
  let settle = (): void => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  const actor: ScopeActor = world.supervisor.spawn(scopeKind, undefined, {
    supervisor: world.supervisor,
    held: new Map(),
    releasing: null,
    problems: [],
    check: world.check,
    closed: settle
  })
  const closed = settled.then(() => throwWhatFailed(actor.data.problems))
  // Whoever closes hears of it.
  closed.catch(() => {})
  return scopeOf(actor, { world, name, closed })
}

interface ScopeParts {
  readonly world: ScopeWorld
  readonly name: string
  readonly closed: Promise<void>
}

const scopeOf = (actor: ScopeActor, { world, name, closed }: ScopeParts): Scope => {
  const { held } = actor.data
  let count = 0
  const isOpen = (): boolean => actor.snapshot.state === "open"
  const hold = (resource: Omit<HeldResource, "number">): (() => void) => {
    if (!isOpen()) throw new InvalidOption(`${resource.name} cannot be added: the scope ${name} is closed`)
    if (resource.boundMs !== null && !(resource.boundMs >= 0 && resource.boundMs <= delayMsMax))
      throw new InvalidOption(
        `boundMs of ${resource.name} is ${resource.boundMs}; give milliseconds from 0 to ${delayMsMax}`
      )
    const number = ++count
    held.set(number, { ...resource, number })
    return () => void held.delete(number)
  }
  const close = (): Promise<void> => {
    if (actor.snapshot.status === "active") world.supervisor.deliver(actor, { type: "close" })
    return closed
  }
  return {
    name,
    isOpen,
    async acquire(what, { start, release, interrupt = () => {}, boundMs = releaseMsDefault }) {
      let isSettled = false
      let isInterrupted = false
      let begin = (): void => {}
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const starting = begun.then(start).finally(() => {
        isSettled = true
      })
      const got = starting.then(
        (value) => [value],
        () => []
      )
      const forget = hold({
        name: what,
        boundMs,
        release: async () => {
          if (!isSettled) {
            isInterrupted = true
            interrupt()
          }
          for (const value of await got) await release(value)
        }
      })
      begin()
      const value = await starting.catch((error) => {
        forget()
        if (!isInterrupted || error instanceof Cancelled) throw error
        // What a start fails with that was cut short says nothing of what was started.
        throw new Cancelled(`${what} was given up: the scope ${name} has been closed in the meantime`, { cause: error })
      })
      if (!isOpen()) throw new Cancelled(`${what} was given back: the scope ${name} has been closed in the meantime`)
      return { value, forget }
    },
    defer: (what, finalizer, { boundMs = releaseMsDefault } = {}) =>
      hold({ name: what, boundMs, release: async () => finalizer() }),
    open(what) {
      const inner = makeScope({ ...world, check: async () => [] }, what)
      const forget = hold({ name: what, boundMs: null, release: inner.close })
      return {
        ...inner,
        close: () => inner.close().finally(forget)
      }
    },
    close
  }
}

const throwWhatFailed = (problems: ReadonlyArray<Error>): void => {
  const [first, ...others] = problems
  if (first === undefined) return
  throw others.length === 0 && first instanceof ResourceLeak ? first : new CleanupFailed(problems)
}
