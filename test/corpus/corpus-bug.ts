import type { JudgeOptions, SimOptions, SimWorld } from "../../src/sim.ts"

/** A program of the corpus: a workload and its oracle; the search draws all else. */
export type CorpusProgram = (world: SimWorld) => Promise<void>

/** One client in the world of a bug. */
export interface CorpusCase {
  /** What is tried: package, version, way of calling it. */
  readonly client: string
  readonly program: CorpusProgram
  /** What it is judged by, beside its own oracle. */
  readonly judge?: JudgeOptions
  /** The first line of what the search has to find; `null` when nothing may be found. */
  readonly fails: RegExp | null
}

/** A bug that people have met in public, as a world in which it shows. */
export interface CorpusBug {
  /** Its row in the table of the README. */
  readonly row: number
  /** The name of its page, and the words by which it is asked for. */
  readonly name: string
  readonly title: string
  readonly options: SimOptions
  readonly cases: ReadonlyArray<CorpusCase>
}
