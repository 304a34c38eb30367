import { type Crew, openCrew, programsOf } from "../campaign/module-crew.ts"
import type { OpenSimWorker, ProgramInfo } from "../campaign/sim-worker.ts"
import { makeStopBoard } from "../campaign/stop-board.ts"
import { after } from "../campaign/until-stopped.ts"
import type { CommandIo } from "./command-io.ts"
import { type RunsStop, stopRunsOnSignals } from "./explore-stop.ts"
import { makeReport } from "./report.ts"

/**
 * The workers of a command, which heed its signals.
 *
 * @since 0.1.0
 * @category services
 */
export interface CommandCrew extends Crew {
  readonly stop: RunsStop
  /** Tells people something while they wait. */
  readonly tell: (line: string) => void
}

/**
 * **Takes** `onText`: what the module and its programs write
 *
 * @since 0.1.0
 * @category constructors
 */
export const openCommandCrew = async (
  module: string,
  io: CommandIo,
  onText: (text: string) => void
): Promise<CommandCrew> => {
  const open: OpenSimWorker = io.openSimWorker ?? (await import("../campaign/sim-thread.ts")).openThread
  const board = makeStopBoard()
  const stop = stopRunsOnSignals(io, board)
  const report = makeReport("jsonl", io)
  const tell = (line: string): void => report.human(line)
  return { ...openCrew({ module, open, board, stopped: stop.stopped, onText }), stop, tell }
}

/** What is wrong with the module, or with the program that was asked for: nothing was run. */
export class NothingToRun extends Error {
  readonly _tag = "NothingToRun"
  constructor(message: string) {
    super(message)
    this.name = "NothingToRun"
  }
}

/** Most modules are loaded long before this. */
const loadingMs = 5_000

/**
 * The programs that a command is about. A module that is long in loading is told of: it may never come back.
 *
 * **Gives** none when a signal came first
 * **Fails** with `NothingToRun`
 *
 * @since 0.1.0
 * @category running
 */
export const programsAsked = (
  crew: CommandCrew,
  asked: { readonly module: string; readonly only: string | null }
): Promise<ReadonlyArray<ProgramInfo>> => {
  const long = after(loadingMs)
  long.passed.then(() =>
    crew.tell(
      `${asked.module} is still being loaded after ${loadingMs / 1_000} s: a top-level await of it, or of what it imports, has not ended; Ctrl-C ends this`
    )
  )
  return programsOf(crew, asked)
    .catch((error: unknown) => {
      throw nothingToRun(error)
    })
    .finally(long.forget)
}

/** The one program that a run is made of. */
export const programOfRun = async (
  crew: CommandCrew,
  asked: { readonly module: string; readonly only: string | null }
): Promise<ProgramInfo | null> => {
  const programs = await programsAsked(crew, asked)
  if (programs.length <= 1) return programs[0] ?? null
  const names = programs.map(({ name }) => JSON.stringify(name)).join(", ")
  throw new NothingToRun(`${asked.module} has ${programs.length} programs: ${names}; say which with --only NAME`)
}

const nothingToRun = (error: unknown): unknown => {
  const tag = error instanceof Error && "_tag" in error ? error._tag : null
  const isOurs = tag === "ModuleRefused" || tag === "ThreadLost" || tag === "FenceRefused"
  return error instanceof Error && isOurs ? new NothingToRun(error.message) : error
}
