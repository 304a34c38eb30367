import type { Sizes } from "../../shared/row.ts"

type Repetitions = Pick<Sizes, "repetitions">

/** As often as asked, after once to warm up. */
export const repeated = async <Made>(
  { repetitions }: Repetitions,
  make: () => Promise<Made>
): Promise<ReadonlyArray<Made>> => {
  const made: Array<Made> = []
  await make()
  for (let repetition = 0; repetition < repetitions; repetition++) made.push(await make())
  return made
}

/** Both after each other, as often as asked, each the first one equally often; what warms them up does not count. */
export const inTurns = async <Made>(
  { repetitions }: Repetitions,
  one: () => Promise<Made>,
  other: () => Promise<Made>
): Promise<ReadonlyArray<readonly [one: Made, other: Made]>> => {
  const pairs: Array<readonly [Made, Made]> = []
  await one()
  await other()
  for (let repetition = 0; repetition < repetitions; repetition++) {
    if (repetition % 2 === 0) pairs.push([await one(), await other()])
    else {
      const second = await other()
      pairs.push([await one(), second])
    }
  }
  return pairs
}
