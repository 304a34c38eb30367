import type { SimOptions } from "../../../src/sim.ts"
import { type Bar, type Figure, type MeasureRow, type Sizes, sized } from "../../shared/row.ts"
import { measureRates, type Told } from "../measure/rates.ts"
import { realParsers, tinySegments, wholeSegments } from "../programs/real-parsers.ts"
import { runOnce } from "../programs/run-once.ts"
import { wrongOutcomes } from "../programs/wrong-outcomes.ts"

interface Case {
  readonly name: string
  readonly options: SimOptions
  readonly runs: number
  readonly bars: { readonly runs?: Bar; readonly segments?: Bar }
}

const cases: ReadonlyArray<Case> = [
  { name: "what is written at once stays whole", options: wholeSegments, runs: 250, bars: { runs: { atLeast: 80 } } },
  { name: "segments of 1 to 16 bytes", options: tinySegments, runs: 100, bars: { segments: { atLeast: 25_000 } } }
]

/** undici and `node:http` over simulated sockets. */
export const measureRealParsers: MeasureRow = async (sizes) => {
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  for (const one of cases) {
    const measured = await measureCase(one, sizes)
    figures.push(...measured.figures)
    problems.push(...measured.problems)
  }
  return { how, figures, problems }
}

const how =
  "Two openai clients over an Agent of undici stream from the fault server behind node:http: 429, retries, resets and cuts. The " +
  "segments of a run are counted beforehand, for they are the same every time."

const measureCase = async ({ name, options, runs: usual, bars }: Case, sizes: Sizes) => {
  const runs = sized(usual, sizes)
  const outcomes = new Map<string, number>()
  let segments = 0
  // Counted once, and outside of what is measured: every repetition makes the same runs.
  for (let seed = 0; seed < runs; seed++) {
    const run = await runOnce(realParsers, options, seed)
    segments += run.kernel.steps().filter(({ op }) => op.label === "net/data").length
    for (const outcome of run.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  const work = async () => {
    for (let seed = 0; seed < runs; seed++) await runOnce(realParsers, options, seed)
    return { runs, segments }
  }
  const figures = await measureRates(
    work,
    {
      runs: told({ name, unit: "runs/CPU-s", bar: bars.runs }),
      segments: told({ name, unit: "segments/CPU-s", bar: bars.segments })
    },
    sizes
  )
  return { figures, problems: wrongOutcomes(outcomes) }
}

const told = ({
  name,
  unit,
  bar
}: {
  readonly name: string
  readonly unit: string
  readonly bar: Bar | undefined
}): Told => ({
  what: name,
  unit,
  ...(bar === undefined ? {} : { bar })
})
