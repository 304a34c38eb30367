import { InvalidOption } from "../../domain/errors.ts"
import { type FaultName, faultNames, isFaultName } from "../../domain/fault-names.ts"
import { describe, isRecord } from "../../domain/json.ts"
import type { IncidenceProfile } from "./profile.ts"
import { readProfile } from "./read-profile.ts"
import { wilsonInterval } from "./wilson.ts"

/**
 * Below so many events a share says little, and is flagged.
 *
 * @since 0.1.0
 * @category faults
 */
export const rareEventsMin = 5

/**
 * How the fitted profile is called, and where its numbers come from.
 *
 * @since 0.1.0
 * @category models
 */
export interface FitOptions {
  readonly name: string
  /** 1 when absent. */
  readonly version?: number
  readonly source: string
  readonly window: string
}

/**
 * A measured profile from result records, one JSON object a line. The weights are the counts, in the order of the
 * catalogue.
 *
 * **Takes** `result` records, own or converted, of which `behavior` alone is read; other records and empty lines are
 * passed over, and so are results of an exhausted script
 * **Fails** with `InvalidOption`, naming the line, when one is no JSON object or its behaviour is unknown, and when
 * there is no result at all
 * **Source** fault-server.md, section 9.5, point 3
 *
 * @since 0.1.0
 * @category constructors
 */
export const fitProfile = (lines: Iterable<string>, options: FitOptions): IncidenceProfile => {
  const counts = new Map<FaultName, number>()
  let requests = 0
  let line = 0
  for (const text of lines) {
    line++
    const behavior = text.trim() === "" ? null : readBehavior(text, line)
    if (behavior === null) continue
    counts.set(behavior, (counts.get(behavior) ?? 0) + 1)
    requests++
  }
  if (requests === 0)
    throw new InvalidOption("there is no result record to fit a profile to; give some with a behavior")
  const seen = faultNames.flatMap((behavior) => {
    const count = counts.get(behavior) ?? 0
    return count === 0 ? [] : [{ behavior, count }]
  })
  return readProfile({
    name: options.name,
    version: options.version ?? 1,
    kind: "measured",
    weights: seen.map(({ behavior, count }) => [behavior, count]),
    source: options.source,
    window: options.window,
    requests,
    evidence: seen.map(({ behavior, count }) => {
      const { low, high } = wilsonInterval({ count, total: requests })
      return { behavior, count, low: round(low), high: round(high), isRare: count < rareEventsMin }
    })
  })
}

const readBehavior = (text: string, line: number): FaultName | null => {
  const record = parse(text)
  if (!isRecord(record)) throw new InvalidOption(`line ${line} is no JSON object: ${describe(text)}`)
  if (record["type"] !== "result" || record["behavior"] === "script_exhausted") return null
  const { behavior } = record
  if (isFaultName(behavior)) return behavior
  const found = behavior === undefined ? "missing" : describe(behavior)
  throw new InvalidOption(`line ${line}: the behavior is ${found}; convert it to a concrete one of the catalogue`)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Six places are more than the numbers are worth. */
const round = (share: number): number => Math.round(share * 1e6) / 1e6
