import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import type { LeaderClient } from "../leader/leader-client.ts"
import type { LeaderFixture } from "../leader/leader-fixture.ts"
import type { LeaderConnection } from "../leader-ipc/leader-connection.ts"
import type { RunningFakeLeader } from "../leader-ipc/running-fake-leader.ts"
import type { Holding } from "../scope/acquisition.ts"
import { errorOf } from "../scope/scope-actor.ts"
import { forgettingAfter } from "./held.ts"

/** Ends a client of a leader: it is asked first, and killed when that fails. */
export const endLeaderClient = (client: LeaderClient): Promise<unknown> =>
  client.close().catch((graceful: unknown) =>
    client.killAndClose().catch((hard: unknown) => {
      throw new CleanupFailed([errorOf(graceful), errorOf(hard)])
    })
  )

/**
 * A leader whose clients are held by the scope that holds the leader, so that they are closed before it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const heldLeader = (
  { value, forget }: Holding<LeaderFixture>,
  acquire: (start: () => Promise<LeaderClient>) => Promise<Holding<LeaderClient>>
): LeaderFixture => {
  const { spawnClient } = value
  const dispose = forgettingAfter(value[Symbol.asyncDispose], forget)
  return Object.assign(value, {
    spawnClient: async (...options: Parameters<LeaderFixture["spawnClient"]>) =>
      heldClient(await acquire(() => spawnClient(...options))),
    close: forgettingOnSuccess(value.close, forget),
    [Symbol.asyncDispose]: dispose
  })
}

const heldClient = ({ value, forget }: Holding<LeaderClient>): LeaderClient => {
  const close = forgettingOnSuccess(value.close, forget)
  return Object.assign(value, {
    close,
    killAndClose: forgettingAfter(value.killAndClose, forget),
    [Symbol.asyncDispose]: async () => void (await close())
  })
}

/** One that ends by itself is forgotten as well. */
export const heldConnection = ({ value, forget }: Holding<LeaderConnection>): LeaderConnection => {
  value.closed().then(forget, forget)
  return value
}

/** @since 0.1.0 @category constructors */
export const heldFakeLeader = ({ value, forget }: Holding<RunningFakeLeader>): RunningFakeLeader => {
  const close = forgettingAfter(value.close, forget)
  return Object.assign(value, { close, [Symbol.asyncDispose]: close })
}

/** What could not be closed may still be closed later, or with its scope. */
const forgettingOnSuccess =
  <Args extends ReadonlyArray<unknown>, A>(call: (...args: Args) => Promise<A>, forget: () => void) =>
  (...args: Args): Promise<A> => {
    const result = call(...args)
    result.then(forget, () => {})
    return result
  }
