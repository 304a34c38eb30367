import fc from "fast-check"

/** An operation of a small program: it reads and writes variables in a way that tells every order, and then plans others. */
export interface SmallOp {
  readonly touches: ReadonlyArray<number>
  readonly delayMs: number
  readonly next: ReadonlyArray<SmallOp>
}

/** A program of few operations on few variables, so that all of its orders can be tried. */
export interface SmallProgram {
  /** Variables are less than this: with a small one, different roads lead to the same state. */
  readonly modulus: number
  readonly roots: ReadonlyArray<SmallOp>
}

const touches = fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2 })

const leaf = (delayMs: fc.Arbitrary<number>): fc.Arbitrary<SmallOp> =>
  fc.record({ touches, delayMs, next: fc.constant([]) })

/** Roots of which each plans up to two more. */
export const smallPrograms = ({ isTimed = false }: { readonly isTimed?: boolean } = {}): fc.Arbitrary<SmallProgram> => {
  const delayMs = isTimed ? fc.nat({ max: 2 }) : fc.constant(0)
  const root = fc.record({ touches, delayMs, next: fc.array(leaf(delayMs), { maxLength: 2 }) })
  const roots = fc.array(root, { minLength: 1, maxLength: 3 })
  return fc.record({ modulus: fc.constantFrom(2, 3, 9_973), roots })
}
