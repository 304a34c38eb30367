import type { OpenSimWorker, ProgramInfo, SimWorker } from "../campaign/sim-worker.ts"
import { makeStopBoard, type StopBoard } from "../campaign/stop-board.ts"
import { suggestion } from "../domain/spelling.ts"
import type { CommandIo } from "./command-io.ts"
import { type RunsStop, stopRunsOnSignals, untilStopped } from "./explore-stop.ts"

/**
 * The workers of a command, all of which have loaded the same module.
 *
 * @since 0.1.0
 * @category services
 */
export interface Crew {
  readonly board: StopBoard
  readonly stop: RunsStop
  /** The first worker, and more of them as they are asked for. */
  worker(index: number): SimWorker
  /** Ends all of them. */
  close(): Promise<void>
}

/**
 * **Takes** `onText`: what the module and its programs write
 *
 * @since 0.1.0
 * @category constructors
 */
export const openCrew = async (module: string, io: CommandIo, onText: (text: string) => void): Promise<Crew> => {
  const open: OpenSimWorker = io.openSimWorker ?? (await import("./explore-thread.ts")).openThread
  const board = makeStopBoard()
  board.restart()
  const workers: Array<SimWorker> = []
  const stop = stopRunsOnSignals(io, board)
  return {
    board,
    stop,
    worker(index) {
      const known = workers[index]
      if (known !== undefined) return known
      const worker = open({ module, memory: board.memory, index, onText })
      workers[index] = worker
      return worker
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
    }
  }
}

/** What is wrong with the module, or with the program that was asked for: nothing was run. */
export class NothingToRun extends Error {
  readonly _tag = "NothingToRun"
  constructor(message: string) {
    super(message)
    this.name = "NothingToRun"
  }
}

/**
 * The programs of the module, or the one that was asked for.
 *
 * **Gives** none when a signal came first
 * **Fails** with `NothingToRun`
 *
 * @since 0.1.0
 * @category running
 */
export const programsOf = async (
  crew: Crew,
  { module, only }: { readonly module: string; readonly only: string | null }
): Promise<ReadonlyArray<ProgramInfo>> => {
  const programs = await untilStopped(crew.worker(0).programs(), crew.stop.stopped).catch((error: unknown) => {
    throw nothingToRun(error)
  })
  if (programs === null) return []
  if (only === null) return programs
  const named = programs.filter(({ name }) => name === only)
  const found = named.length > 0 ? named : programs.filter(({ exportName }) => exportName === only)
  if (found.length > 0) return found
  const names = programs.map(({ name }) => name)
  const hint = suggestion(only, names) || `; it has ${names.map((name) => JSON.stringify(name)).join(", ")}`
  throw new NothingToRun(`${module} has no program ${JSON.stringify(only)}${hint}`)
}

/** The one program that a run is made of. */
export const programOfRun = async (
  crew: Crew,
  asked: { readonly module: string; readonly only: string | null }
): Promise<ProgramInfo | null> => {
  const programs = await programsOf(crew, asked)
  if (programs.length <= 1) return programs[0] ?? null
  const names = programs.map(({ name }) => JSON.stringify(name)).join(", ")
  throw new NothingToRun(`${asked.module} has ${programs.length} programs: ${names}; say which with --only NAME`)
}

const nothingToRun = (error: unknown): unknown => {
  const tag = error instanceof Error && "_tag" in error ? error._tag : null
  const isOurs = tag === "ModuleRefused" || tag === "ThreadLost" || tag === "FenceRefused"
  return error instanceof Error && isOurs ? new NothingToRun(error.message) : error
}
