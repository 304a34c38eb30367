import { judge } from "../model/judge.ts"
import { broken, type Invariant } from "./account.ts"

/**
 * That the reference model found nothing against one of the numbered invariants of the specification; 0 stands for the
 * comments of a silent stream.
 */
export const modelAgrees =
  (law: number): Invariant =>
  (history, observations) => {
    const difference = judge(history, observations).differences.find(({ laws }) => laws.includes(law))
    if (difference !== undefined) broken(`by command ${difference.command}: ${difference.text}`)
  }

/** All of these. */
export const allOf =
  (...invariants: ReadonlyArray<Invariant>): Invariant =>
  (history, observations) => {
    for (const invariant of invariants) invariant(history, observations)
  }
