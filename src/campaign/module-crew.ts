import { suggestion } from "../domain/spelling.ts"
import { ModuleRefused } from "./module-refused.ts"
import type { OpenSimWorker, ProgramInfo, SimWorker } from "./sim-worker.ts"
import type { StopBoard } from "./stop-board.ts"
import { untilStopped } from "./until-stopped.ts"

/**
 * Workers that have all loaded the same module.
 *
 * @since 0.1.0
 * @category services
 */
export interface Crew {
  readonly board: StopBoard
  /** Resolves when all is to stop. */
  readonly stopped: Promise<void>
  /** The first worker, and more of them as they are asked for; none when it is closed. */
  worker(index: number): SimWorker
  /** Ends all of them, whatever they do. */
  close(): Promise<void>
}

/** What a crew is made of. */
export interface CrewParts {
  /** The path of the module. */
  readonly module: string
  readonly open: OpenSimWorker
  readonly board: StopBoard
  readonly stopped: Promise<void>
  /** What the module and its programs write. */
  readonly onText: (text: string) => void
  /** Options of Node for its threads, in the place of those of this process. */
  readonly execArgv?: ReadonlyArray<string> | undefined
}

/** @since 0.1.0 @category constructors */
export const openCrew = ({ module, open, board, stopped, onText, execArgv }: CrewParts): Crew => {
  const workers: Array<SimWorker> = []
  let isClosed = false
  board.restart()
  return {
    board,
    stopped,
    worker(index) {
      const known = workers[index]
      if (known !== undefined) return known
      if (isClosed) throw new Error("the workers are closed: none is started any more")
      const worker = open({ module, memory: board.memory, index, onText, execArgv })
      workers[index] = worker
      return worker
    },
    async close() {
      isClosed = true
      await Promise.all(workers.map((worker) => worker.close()))
    }
  }
}

/**
 * The programs of the module, or the one that was asked for: by its name, or else by that of its export. What
 * is wrong with another one does not matter.
 *
 * **Gives** none when all is to stop before it is loaded
 * **Fails** with `ModuleRefused`, `ThreadLost`
 *
 * @since 0.1.0
 * @category running
 */
export const programsOf = async (
  crew: Crew,
  { module, only }: { readonly module: string; readonly only: string | null }
): Promise<ReadonlyArray<ProgramInfo>> => {
  const programs = await untilStopped(crew.worker(0).programs(), crew.stopped)
  if (programs === null) return []
  if (only === null) return withoutProblem(programs)
  const named = programs.filter(({ name }) => name === only)
  const found = named.length > 0 ? named : programs.filter(({ exportName }) => exportName === only)
  if (found.length > 0) return withoutProblem(found)
  const names = programs.map(({ name }) => name)
  const hint = suggestion(only, names) || `; it has ${names.map((name) => JSON.stringify(name)).join(", ")}`
  throw new ModuleRefused(`${module} has no program ${JSON.stringify(only)}${hint}`)
}

const withoutProblem = (programs: ReadonlyArray<ProgramInfo>): ReadonlyArray<ProgramInfo> => {
  const problem = programs.find((program) => program.problem !== null)?.problem ?? null
  if (problem !== null) throw new ModuleRefused(problem)
  return programs
}
