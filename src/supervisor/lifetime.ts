import { Effect, Exit, Scope } from "effect"

/**
 * A lifetime that owns others: ending it releases what was acquired in it, newest first. Releases are synchronous.
 *
 * @since 0.1.0
 * @category supervisor
 */
export interface Lifetime {
  /** Starts a lifetime inside this one; `release` runs when either ends, once. */
  fork(release: () => void): Lifetime
  /** Ends it; the second time nothing happens. */
  end(): void
}

/** How the edge of the program runs a synchronous effect. */
export type RunSync = <A>(effect: Effect.Effect<A>) => A

/** @since 0.1.0 @category constructors */
export const makeLifetime = (runSync: RunSync): Lifetime => lifetimeOf(Scope.makeUnsafe(), runSync)

const lifetimeOf = (scope: Scope.Closeable, runSync: RunSync): Lifetime => ({
  fork(release) {
    const child = Scope.forkUnsafe(scope)
    runSync(Scope.addFinalizer(child, Effect.sync(release)))
    return lifetimeOf(child, runSync)
  },
  end: () => runSync(Scope.close(scope, Exit.void))
})
