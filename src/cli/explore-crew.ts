import { type Crew, openCrew, programsOf } from "../campaign/module-crew.ts"
import type { OpenSimWorker, ProgramInfo } from "../campaign/sim-worker.ts"
import { makeStopBoard } from "../campaign/stop-board.ts"
import type { CommandIo } from "./command-io.ts"
import { type RunsStop, stopRunsOnSignals } from "./explore-stop.ts"

/**
 * The workers of a command, which heed its signals.
 *
 * @since 0.1.0
 * @category services
 */
export interface CommandCrew extends Crew {
  readonly stop: RunsStop
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
  return { ...openCrew({ module, open, board, stopped: stop.stopped, onText }), stop }
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
 * The programs that a command is about.
 *
 * **Gives** none when a signal came first
 * **Fails** with `NothingToRun`
 *
 * @since 0.1.0
 * @category running
 */
export const programsAsked = (
  crew: Crew,
  asked: { readonly module: string; readonly only: string | null }
): Promise<ReadonlyArray<ProgramInfo>> =>
  programsOf(crew, asked).catch((error: unknown) => {
    throw nothingToRun(error)
  })

/** The one program that a run is made of. */
export const programOfRun = async (
  crew: Crew,
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
