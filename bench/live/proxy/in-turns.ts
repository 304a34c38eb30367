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

/** So often both are done before it counts: in the first two the code of a new process is still being compiled. */
export const warmUps = 3

/** Both after each other, as often as asked, each the first one equally often; what warms them up does not count. */
export const inTurns = async <Made>(
  { repetitions }: Repetitions,
  one: () => Promise<Made>,
  other: () => Promise<Made>
): Promise<ReadonlyArray<readonly [one: Made, other: Made]>> => {
  const pairs: Array<readonly [Made, Made]> = []
  for (let warmUp = 0; warmUp < warmUps; warmUp++) {
    await one()
    await other()
  }
  for (let repetition = 0; repetition < repetitions; repetition++) {
    if (repetition % 2 === 0) pairs.push([await one(), await other()])
    else {
      const second = await other()
      pairs.push([await one(), second])
    }
  }
  return pairs
}
