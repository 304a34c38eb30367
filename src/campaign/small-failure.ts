import type { FoundFailure, ProgramInfo, ReplayedRun, SimWorker, SmallRun } from "./sim-worker.ts"
import { untilStopped } from "./until-stopped.ts"

/** Shrinking after a search takes no longer than this. */
const shrinkMs = 60_000

/** A failure that was made again, and small as far as that could be. */
export interface SmallFailure {
  /** `null` when the run did not come back. */
  readonly run: ReplayedRun | null
  readonly small: SmallRun | null
  /** Gives the run again. */
  readonly token: string
}

/**
 * Makes the run of a failure again, makes it small, and makes the small one again.
 *
 * **Takes** `see`, which is shown the run, and then the small one: whatever happens in between, there is one to be told
 *
 * @since 0.1.0
 * @category shrinking
 */
export const makeSmall = async (
  { token }: FoundFailure,
  parts: {
    readonly worker: SimWorker
    /** Resolves when all is to stop. */
    readonly stopped: Promise<void>
    readonly program: ProgramInfo
    readonly see: (run: ReplayedRun, small: SmallRun | null) => void | Promise<void>
  }
): Promise<SmallFailure> => {
  const { worker, stopped, program, see } = parts
  const { exportName, shrinkRunsMax } = program
  const run = await untilStopped(worker.replay({ exportName, token }), stopped)
  if (run === null) return { run, small: null, token }
  await see(run, null)
  const asFound = { run, small: null, token: run.end.token ?? token }
  if (run.end.type === "ok" || shrinkRunsMax === 0) return asFound
  const shrunk = await untilStopped(
    worker.shrink({ exportName, token, runsMax: shrinkRunsMax, budgetMs: shrinkMs }).then((small) => ({ small })),
    stopped
  )
  const small = shrunk?.small ?? null
  if (small === null) return asFound
  const again = await untilStopped(worker.replay({ exportName, token: small.token }), stopped)
  if (again === null) return asFound
  await see(again, small)
  return { run: again, small, token: small.token }
}
