import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { measureRates } from "../measure/rates.ts"
import { type BallGame, playBalls } from "../programs/thrown-balls.ts"

const latenciesMs = [1, 2, 3, 5, 8]

const games: Readonly<Record<string, BallGame>> = {
  "12 actors, all due together": { pairs: 6, throws: 40, latenciesMs: [0], isUntimed: false },
  "80 actors, drawn latencies": { pairs: 40, throws: 40, latenciesMs, isUntimed: false },
  "80 actors, untimed: 40 deliveries to choose from at every step": {
    pairs: 40,
    throws: 40,
    latenciesMs,
    isUntimed: true
  },
  "one long run of 40,000 deliveries": { pairs: 2, throws: 20_000, latenciesMs, isUntimed: false }
}

/** Deliveries of one repetition. */
const deliveries = 800_000

const how = "Seeded choices, and actors that only throw balls to and fro, each direction a channel of its own."

/** Deliveries of the kernel; trace and hash cannot be turned off, and are on. */
export const measureKernelDeliveries: MeasureRow = async (sizes) => {
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  for (const [what, game] of Object.entries(games)) {
    const { hash, deliveries: expected } = playBalls(game, 1)
    if (playBalls(game, 1).hash !== hash) problems.push(`${what}: two hashes of one seed`)
    if (expected !== game.pairs * game.throws) problems.push(`${what}: ${expected} deliveries`)
    const work = () => {
      let made = 0
      for (let seed = 1; made < sized(deliveries, sizes); seed++) made += playBalls(game, seed).deliveries
      return { deliveries: made }
    }
    const told = { what, unit: "deliveries/CPU-s", bar: { atLeast: 500_000 } }
    figures.push(...(await measureRates(work, { deliveries: told }, sizes)))
  }
  return { how, figures, problems }
}
