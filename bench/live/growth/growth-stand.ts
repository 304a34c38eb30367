import { type Child, startChild } from "../../shared/child.ts"
import type { Figure } from "../../shared/row.ts"
import type { LoadAnswer } from "../server/load-program.ts"
import type { GrowingAnswer, GrowingQuestion } from "./growing-program.ts"
import type { ReadingAnswer, ReadingQuestion } from "./reading-program.ts"

/** Our server in a process of its own, with more and more in it. */
export type Growing = Child<GrowingQuestion, GrowingAnswer>
export type Readers = Child<ReadingQuestion, ReadingAnswer>

const programAt = (name: string): URL => new URL(`./${name}.js`, import.meta.url)

export const startGrowing = async (
  bounds: { readonly logEntriesMax?: number; readonly logBytesMax?: number } = {}
): Promise<{ readonly growing: Growing; readonly port: number }> => {
  const growing: Growing = startChild(programAt("growing-program"))
  const { port } = await growing.ask({ start: true, ...bounds })
  return { growing, port }
}

export const startReaders = (): Readers => startChild(programAt("reading-program"))

/** Connections of the load beside what grows. */
export const connections = 32

/** A ratio is told with its size. */
export const sizeText = (size: number): string => size.toLocaleString("en-US")

/** How fast it is with so much in it, of what it is with the least. */
export const ratioOf = (pairs: ReadonlyArray<readonly [one: LoadAnswer, other: LoadAnswer]>): ReadonlyArray<number> =>
  pairs.map(([one, other]) => one.seconds / other.seconds)

export const problemsOf = (
  what: string,
  pairs: ReadonlyArray<readonly [one: LoadAnswer, other: LoadAnswer]>
): ReadonlyArray<string> => pairs.flat().flatMap(({ problem }) => (problem === null ? [] : [`${what}: ${problem}`]))

/** The middle figure of each size, for a plot. */
export const pointsOf = (
  figures: ReadonlyArray<readonly [size: number, figure: Figure]>
): ReadonlyArray<readonly [number, number]> => figures.map(([size, { value }]) => [size, value])
