import type { OptionValue, RunTrace } from "../report/run-trace.ts"
import type { Search } from "./module-search.ts"
import { packageVersion } from "./package-version.ts"
import { moduleHash } from "./program-module.ts"
import { namedProgram } from "./run-trace-file.ts"
import type { FoundFailure, ReplayedRun } from "./sim-worker.ts"
import { surroundingsOf } from "./surroundings.ts"

/**
 * The trace of a failure of a module's program, which the command can make again.
 *
 * **Takes** `path`, where it goes
 *
 * @since 0.1.0
 * @category traces
 */
export const moduleTrace = (
  { end, steps }: ReplayedRun,
  parts: {
    readonly module: string
    readonly path: string
    readonly plan: Pick<Search, "program" | "seed" | "workers">
    readonly found: FoundFailure
    readonly isShrunk: boolean
  }
): RunTrace => {
  const { module, path, plan, found, isShrunk } = parts
  const { program, seed, workers } = plan
  return {
    header: {
      title: program.name,
      strategy: found.by,
      seed,
      options: {
        ...namedOptions({ trace: path, module, program: program.exportName }),
        run: found.run,
        workers,
        isShrunk,
        ...(program.isUntimed ? { isUntimed: true } : {})
      },
      ...surroundingsOf({ module, engine: packageVersion() })
    },
    end,
    steps
  }
}

/** How a header names a program. */
export const namedOptions = (named: {
  readonly trace: string
  readonly module: string
  readonly program: string
}): Readonly<Record<string, OptionValue>> => ({ ...namedProgram({ ...named, moduleHash: moduleHash(named.module) }) })
