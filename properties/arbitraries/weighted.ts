import fc from "fast-check"

/** Some values, each as often as its weight says; they shrink to the first. */
export const weighted = <const T>(...choices: ReadonlyArray<readonly [weight: number, value: T]>): fc.Arbitrary<T> =>
  fc.constantFrom(...choices.flatMap(([weight, value]) => Array.from({ length: weight }, () => value)))
