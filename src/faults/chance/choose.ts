import type { FaultName } from "../../domain/fault-names.ts"
import type { Choice } from "../../kernel/choice.ts"
import { mulberry32 } from "../../kernel/mulberry32.ts"
import type { FaultWeights } from "./weights.ts"

/**
 * The name of the generator, the rule of choice, the derivation of seeds and the number of draws, taken together. A
 * change to any of them that alters a choice gets a new name.
 *
 * **Source** fault-server.md, section 5.2
 *
 * @since 0.1.0
 * @category faults
 */
export const prngName = "mulberry32/1"

/**
 * The fault that a draw stands for.
 *
 * **Takes** weights of which one is positive, and `unit`, 0 <= unit < 1
 * **Source** fault-server.md, section 5.5
 *
 * @since 0.1.0
 * @category faults
 */
export const chooseFault = (weights: FaultWeights, unit: number): FaultName => {
  const positive = onlyPositive(weights)
  let rest = unit * positive.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of positive) {
    if (rest < weight) return name
    rest -= weight
  }
  return nameAt(positive, positive.length - 1)
}

/**
 * Chooses one fault after another; each choice takes exactly one draw.
 *
 * @since 0.1.0
 * @category services
 */
export interface Chooser {
  choose(weights: FaultWeights): FaultName
}

/**
 * Choices that follow from a seed alone. Two of one seed do not disturb each other.
 *
 * **Source** fault-server.md, sections 5.2 and 5.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const seededChooser = (seed: number): Chooser => {
  const next = unitStream(seed)
  return { choose: (weights) => chooseFault(weights, next()) }
}

/**
 * Choices that another source makes, as a place among the positive weights, however heavy; place 0 is `success` where
 * there is one. The draws are labelled `fault/<lane>`.
 *
 * **Source** DESIGN, section 3
 *
 * @since 0.1.0
 * @category constructors
 */
export const choiceChooser = (choice: Choice, lane: string): Chooser => ({
  choose(weights) {
    const positive = onlyPositive(weights)
    const calm = positive.filter(([name]) => name === "success")
    const ordered = [...calm, ...positive.filter(([name]) => name !== "success")]
    return nameAt(ordered, choice.draw(ordered.length, `fault/${lane}`))
  }
})

/**
 * The outputs of the generator as numbers from 0 to 1, which excluded.
 *
 * @since 0.1.0
 * @category constructors
 */
export const unitStream = (seed: number): (() => number) => {
  const next = mulberry32(seed)
  return () => next() / 2 ** 32
}

const onlyPositive = (weights: FaultWeights): FaultWeights => weights.filter(([, weight]) => weight > 0)

const nameAt = (weights: FaultWeights, place: number): FaultName => {
  const entry = weights[place]
  if (entry === undefined) throw new Error(`there is no weight at ${place} of ${weights.length}`)
  return entry[0]
}
