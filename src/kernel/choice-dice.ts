import { mulberry32 } from "./mulberry32.ts"

/**
 * Numbers of a seed.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface Dice {
  /** From 0, below 1. */
  share(): number
  /** An integer from 0, below `n`; 0 when `n` is less than 1. */
  below(n: number): number
}

/** @since 0.1.0 @category constructors */
export const makeDice = (seed: number): Dice => {
  const next = mulberry32(seed)
  const share = (): number => next() / 2 ** 32
  return { share, below: (n) => Math.floor(share() * Math.max(0, n)) }
}
