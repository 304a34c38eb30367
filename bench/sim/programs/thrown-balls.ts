import { forkedChoice } from "../../../src/kernel/choice-forked.ts"
import type { OpSpec } from "../../../src/kernel/op.ts"
import { makeSimKernel } from "../../../src/kernel/sim-kernel.ts"

/** Pairs of actors that throw a ball to and fro: what they do costs nothing, so what is measured is the kernel. */
export interface BallGame {
  readonly pairs: number
  /** How often each ball is thrown. */
  readonly throws: number
  /** How late a ball arrives, in milliseconds; drawn for each throw when there are several. */
  readonly latenciesMs: ReadonlyArray<number>
  readonly isUntimed: boolean
}

/** How a game went. */
export interface PlayedGame {
  readonly deliveries: number
  readonly hash: string
}

/** Plays one game to its end. Each ball has a channel for each direction, as a connection has. */
export const playBalls = ({ pairs, throws, latenciesMs, isUntimed }: BallGame, seed: number): PlayedGame => {
  const kernel = makeSimKernel({ choice: forkedChoice(seed), isUntimed })
  const latencies = latenciesMs.length
  const fly = (there: OpSpec, back: OpSpec, left: number): void => {
    const latencyMs = latenciesMs[kernel.choice.draw(latencies, "net/latency")] ?? 0
    kernel.plan(latencyMs, there, () => {
      if (left > 1) fly(back, there, left - 1)
    })
  }
  for (let pair = 0; pair < pairs; pair++) {
    const [there, back] = directionsOf(pair)
    fly(there, back, throws)
  }
  while (kernel.step() !== null);
  return { deliveries: kernel.stepCount(), hash: kernel.hash() }
}

const known = new Map<number, readonly [OpSpec, OpSpec]>()

/** Made once, as those who send name their channels once. */
const directionsOf = (pair: number): readonly [OpSpec, OpSpec] => {
  const made = known.get(pair)
  if (made !== undefined) return made
  const ball = { kind: "deliver", label: "ball" } as const
  const directions = [
    { ...ball, actor: `m${pair}`, channel: `n${pair}>m${pair}` },
    { ...ball, actor: `n${pair}`, channel: `m${pair}>n${pair}` }
  ] as const
  known.set(pair, directions)
  return directions
}
