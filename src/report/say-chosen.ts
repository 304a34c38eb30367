import { clip } from "../domain/clip.ts"
import { type Chosen, isSchedule } from "./chosen.ts"
import { sayDuration } from "./virtual-duration.ts"
import { visibleText } from "./visible-text.ts"

const linesMax = 20
const lineLengthMax = 80

/**
 * Choices of a run that were not calm, a line each: when each was made, and what was chosen of what. Of many the first ones.
 *
 * @since 0.1.0
 * @category reports
 */
export const sayChosen = (chosen: ReadonlyArray<Chosen>): ReadonlyArray<string> => {
  const left = chosen.length - linesMax
  return [...chosen.slice(0, linesMax).map(sayOne), ...(left > 0 ? [`… ${left} choices left out`] : [])]
}

const sayOne = ({ step, draw }: Chosen): string => {
  const what = isSchedule(draw)
    ? `${step.label} to ${step.actor} went first, of ${draw.n} that could`
    : `${draw.label} was ${draw.answer} of 0 to ${draw.n - 1}`
  return `step ${step.step}, ${sayDuration(step.at)}: ${clip(visibleText(what), lineLengthMax)}`
}
