import { decodeToken } from "../explore/replay-token.ts"
import { nonCalmCount } from "../kernel/choice-forks.ts"
import type { SeenRun } from "./explore-world.ts"

/** What a failed run is told with. */
export interface ToldFailure {
  readonly message: string
  readonly token: string
  /** How many runs it took to find it, where there were several. */
  readonly foundInRun: number | null
  /** The run itself, made again from the token. */
  readonly run: SeenRun | null
}

/** So many of the last steps are shown. */
const stepsShown = 12

/**
 * What a person needs of a failed run: what failed, how far it is from the run that everybody expects, how to have it again, and
 * what happened last.
 *
 * @since 0.1.0
 * @category errors
 */
export const failureText = ({ message, token, foundInRun, run }: ToldFailure): string => {
  const lists = decodeToken(token).lists
  const choices = lists === null ? [] : Object.entries(lists)
  const depth =
    lists === null
      ? "the run follows from its seed"
      : `${nonCalmCount(lists)} choices are not calm${choices.length === 0 ? "" : `: ${choices.map(choiceText).join("; ")}`}`
  const found = foundInRun === null ? [] : [`found in run ${foundInRun + 1}; ${depth}`]
  return [
    message,
    ...(foundInRun === null ? [depth] : found),
    `SIM_REPLAY='${token}'`,
    ...(run === null ? [] : ["", ...lastSteps(run)])
  ].join("\n")
}

const choiceText = ([fork, list]: readonly [string, ReadonlyArray<number>]): string => {
  const told = list.flatMap((answer, index) => (answer === 0 ? [] : [`${answer} at ${index}`]))
  return `${fork} takes ${told.slice(0, 4).join(", ")}${told.length > 4 ? ", …" : ""}`
}

const lastSteps = ({ kernel, notes }: SeenRun): ReadonlyArray<string> => {
  const steps = kernel.steps().map(({ at, op }) => ({ at, text: `${op.actor}: ${op.label}` }))
  const all = [...steps, ...notes.map(({ at, text }) => ({ at, text: `note: ${text}` }))].sort((a, b) => a.at - b.at)
  const shown = all.slice(-stepsShown).map(({ at, text }) => `  ${at.toFixed(3).padStart(12)} ms  ${text}`)
  const earlier = all.length - shown.length
  return [earlier > 0 ? `the last of ${all.length} steps:` : "the steps:", ...shown]
}
