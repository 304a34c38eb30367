import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import { aFunction, checkOption, having } from "../../domain/option-checks.ts"

/** What of a client its end needs. */
export interface ClosableClient {
  close(): Promise<unknown>
  killAndClose(): Promise<unknown>
  containFailedCleanup(): void
}

/** What of a fixture its end needs. */
export interface ClosableFixture {
  /** Those that are not closed, in the order of their starts. */
  clients(): ReadonlyArray<ClosableClient>
  close(): Promise<void>
  contain(): void
  tell(line: string): void
}

/**
 * Works with a leader and its clients, and ends them whatever comes of that: every client in the order of the starts, asked first
 * and killed when that fails, and then the fixture. When a client cannot be ended, it and the leader are killed without waiting,
 * and the fixture is not closed.
 *
 * **Gives** what `body` gives
 * **Fails** with what `body` fails with, and a failure of the cleaning up is only said then; else with that; with
 * `InvalidOption`, before anything is done, for what is no fixture or no function
 * **Source** agent-harness.md, section 5.5
 *
 * @since 0.1.0
 * @category running
 */
export const withLeader = async <F extends ClosableFixture, A>(
  fixture: F,
  body: (fixture: F) => Promise<A>
): Promise<A> => {
  checkOption(fixtureCheck, fixture, "the fixture")
  checkOption(aFunction, body, "the body")
  const outcome = await outcomeOf(async () => body(fixture))
  const failure = await endAll(fixture)
  if (outcome.ok && failure === null) return outcome.value
  if (outcome.ok) throw failure
  if (failure !== null) fixture.tell(`warning: ${failure.message}`)
  throw outcome.error
}

const fixtureCheck = having({ clients: aFunction, close: aFunction, contain: aFunction, tell: aFunction })

const outcomeOf = <A>(work: () => Promise<A>) =>
  work().then(
    (value) => ({ ok: true, value }) as const,
    (error: unknown) => ({ ok: false, error }) as const
  )

/** What went wrong first; `null` when nothing did. */
const endAll = async (fixture: ClosableFixture): Promise<Error | null> => {
  const kept: Array<ClosableClient> = []
  let first: Error | null = null
  for (const client of fixture.clients()) {
    const failure = await endClient(client)
    if (failure === null) continue
    kept.push(client)
    first ??= failure
  }
  if (first === null) return asFailure(fixture.close())
  for (const client of kept) client.containFailedCleanup()
  fixture.contain()
  return first
}

const endClient = async (client: ClosableClient): Promise<Error | null> => {
  const graceful = await asFailure(client.close())
  if (graceful === null) return null
  const hard = await asFailure(client.killAndClose())
  return hard === null ? null : new CleanupFailed([graceful, hard])
}

const asFailure = (work: Promise<unknown>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
  )
