import type { FaultServerOptions, LaneScript } from "../../src/faults/fault-server-api.ts"
import type { SequenceEntry } from "../../src/faults/script-entry.ts"
import { apiKey, bodyBytesLimit } from "../model/fault-ask.ts"
import type { FaultScriptSpec, FaultSetup } from "../model/fault-history.ts"
import { isGap } from "../model/fault-history.ts"

/** A script as a user writes it. */
export const sequenceOf = ({ entries }: FaultScriptSpec): ReadonlyArray<SequenceEntry> =>
  entries.map((entry): SequenceEntry => {
    if (isGap(entry)) return `connection_refused${entry.gapMs === null ? "" : `:${entry.gapMs}`}`
    const { behavior, mode, times, options } = entry
    const word = `${behavior}${mode === null ? "" : `:${mode}`}`
    if (options !== null) return { behavior: word, times, options }
    return times === 1 ? ` ${word} ` : `${word}*${times}`
  })

/** What a server is started with, without its observer. */
export const optionsOf = (setup: FaultSetup): FaultServerOptions => {
  const { script, lanes, weights, formats, settings, terms, seed } = setup
  return {
    ...settings,
    ...terms,
    randomSeed: seed,
    ...(script === null ? {} : { sequence: sequenceOf(script), repeatLast: script.repeatLast }),
    ...(lanes === null ? {} : { lanes: laneOptions(lanes) }),
    ...(weights === null ? {} : { randomWeights: Object.fromEntries(weights) }),
    ...(formats === null ? {} : { formats }),
    ...(setup.hasKey ? { apiKey } : {}),
    ...(setup.isLimited ? { maxBodyBytes: bodyBytesLimit } : {})
  }
}

const laneOptions = ({ by, perLane, scripts, isStrict, onlyForeground }: NonNullable<FaultSetup["lanes"]>) => ({
  by,
  isStrict,
  onlyForeground,
  ...(perLane === null ? {} : { perLane }),
  ...(scripts.length === 0
    ? {}
    : {
        scripts: Object.fromEntries(
          scripts.map(({ pattern, options, weights, ...script }): [string, LaneScript] => [
            pattern,
            {
              sequence: sequenceOf(script),
              repeatLast: script.repeatLast,
              options,
              ...(weights === null ? {} : { weights: Object.fromEntries(weights) })
            }
          ])
        )
      })
})
