import fc from "fast-check"
import type { Operation } from "../../src/oracles/history.ts"

/** A small history, correct or not. */
export type SmallHistory<I, O> = ReadonlyArray<Operation<I, O>>

/** Up to six operations whose spans overlap in every way; some are pending, and what they answer is drawn. */
export const concurrentHistories = <I, O>(
  input: fc.Arbitrary<I>,
  output: (input: I) => fc.Arbitrary<O>
): fc.Arbitrary<SmallHistory<I, O>> =>
  fc.array(
    input.chain((asked) =>
      fc
        .record({
          called: fc.integer({ min: 0, max: 8 }),
          lasts: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5 }),
          output: output(asked)
        })
        .map(({ called, lasts, output }) => ({
          process: "c",
          input: asked,
          called,
          returned: lasts === null ? null : { at: called + lasts, output }
        }))
    ),
    { maxLength: 6 }
  )
