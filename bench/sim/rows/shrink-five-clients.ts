import { Effect } from "effect"
import { programOf } from "../../../src/campaign/explore-world.ts"
import type { Outcome } from "../../../src/explore/outcome.ts"
import { type Program, plainContext } from "../../../src/explore/program.ts"
import { type Shrunk, shrinkChoices } from "../../../src/explore/shrink-choices.ts"
import { watchChoice } from "../../../src/explore/watched-choice.ts"
import { forkedChoice } from "../../../src/kernel/choice-forked.ts"
import { listsOf, nonCalmCount } from "../../../src/kernel/choice-forks.ts"
import { fiveClients } from "../../../test/explore/five-clients.ts"
import { cpuSeconds } from "../../shared/measure/cpu-seconds.ts"
import { summary } from "../../shared/measure/summary.ts"
import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { fiveClientsNetwork, fiveSdkClients } from "../programs/five-sdk-clients.ts"

/** A failure that was made small. */
interface Shrinking {
  readonly shrunk: Shrunk | null
  readonly before: number
  readonly seconds: number
}

/** From so many seeds failures are looked for. */
const seedsUsual = 40

const how =
  "Five clients try again what is late or lost, and a question is carried out twice. Failing runs of seeds 0 to 39, with the choices " +
  "that drew them; choices that are not calm are counted."

/** Failures of five clients, made small. */
export const measureShrinking: MeasureRow = async (sizes) => {
  const model = await shrinkings(async (...given) => fiveClients()(...given), sized(seedsUsual, sizes, 4))
  const sdks = await shrinkings(
    programOf(fiveSdkClients, fiveClientsNetwork, Effect.runSync),
    sized(seedsUsual, sizes, 4)
  )
  const both = [
    { name: "five clients as plain actors", all: model },
    { name: "five openai clients in a simulated world", all: sdks }
  ]
  return {
    how,
    figures: both.flatMap(({ name, all }) => figuresOf(name, all)),
    problems: both.flatMap(({ name, all }) => problemsOf(name, all))
  }
}

const shrinkings = async (run: Program<Promise<Outcome>>, seeds: number): Promise<ReadonlyArray<Shrinking>> => {
  const all: Array<Shrinking> = []
  for (let seed = 0; seed < seeds; seed++) {
    const watched = watchChoice(forkedChoice(seed))
    const outcome = await run(watched.choice, plainContext(seed))
    if (outcome.type === "ok") continue
    const lists = listsOf(watched.draws)
    const began = cpuSeconds()
    const shrunk = await shrinkChoices({ run, seed, lists, signature: outcome.signature })
    all.push({ shrunk, before: nonCalmCount(lists), seconds: cpuSeconds() - began })
  }
  return all
}

const figuresOf = (name: string, all: ReadonlyArray<Shrinking>): ReadonlyArray<Figure> => {
  const before = summary(all.map(({ before }) => before)).median
  const seconds = summary(all.map(({ seconds }) => seconds))
  const left = summary(all.map(({ shrunk }) => shrunk?.nonCalm ?? Number.POSITIVE_INFINITY))
  return [
    {
      what: `${name}: time, the longest of ${all.length}`,
      value: seconds.max,
      min: seconds.min,
      max: seconds.max,
      unit: "CPU-s",
      bar: { atMost: 2 }
    },
    {
      what: `${name}: choices left of ${before}, the most`,
      value: left.max,
      min: left.min,
      max: left.max,
      unit: "choices not calm",
      bar: { atMost: 3 }
    }
  ]
}

const problemsOf = (name: string, all: ReadonlyArray<Shrinking>): ReadonlyArray<string> => [
  ...(all.length === 0 ? [`${name}: no seed failed`] : []),
  ...all.flatMap(({ shrunk }) => (shrunk === null ? [`${name}: a failure could not be had again`] : []))
]
