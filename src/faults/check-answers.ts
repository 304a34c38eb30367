import { checkAnswerSize } from "../domain/answer-size.ts"
import { describe } from "../domain/json.ts"
import type { ReadyScript } from "./lane.ts"
import { withEntryOptions } from "./read-sequence.ts"

/**
 * Checks that no entry of these scripts makes an answer in too many pieces.
 *
 * **Takes** each script with its name
 * **Fails** with `InvalidOption`, naming the script and the options
 *
 * @since 0.1.0
 * @category guards
 */
export const checkAnswers = (scripts: ReadonlyArray<readonly [name: string, ready: ReadyScript]>): void => {
  for (const [name, { script, options }] of scripts) {
    // An entry that is repeated is one object.
    for (const entry of new Set(script.entries)) {
      const where = Object.keys(entry.options).length === 0 ? "" : `${name}: ${entry.behavior}: `
      checkAnswerSize(entry.behavior, withEntryOptions(options, entry), where)
    }
  }
}

/** The name of the script of a lane, as messages say it. */
export const laneScriptName = (key: string): string => `lanes.scripts[${describe(key)}].sequence`
