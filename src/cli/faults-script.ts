import { checkEntryOptions } from "../domain/check-fault-options.ts"
import { InvalidOption } from "../domain/errors.ts"
import type { FaultName } from "../domain/fault-names.ts"
import type { FaultOptions } from "../domain/fault-options.ts"
import { describe, isRecord } from "../domain/json.ts"
import { builtInProfile } from "../faults/chance/built-in-profiles.ts"
import type { IncidenceProfile } from "../faults/chance/profile.ts"
import { readBoolean, readList, readObject, readText, readWhole } from "../faults/chance/read-members.ts"
import { readProfile } from "../faults/chance/read-profile.ts"
import { type FaultWeights, type RandomWeights, readWeights } from "../faults/chance/weights.ts"
import type { LaneScript } from "../faults/fault-server-api.ts"
import { type LaneRule, readLaneRule } from "../faults/lane-key.ts"
import { entriesMax, readSequence } from "../faults/read-sequence.ts"
import type { SequenceEntry } from "../faults/script-entry.ts"
import { formatPath } from "../inference/scenario-problem.ts"

/** The only version of the schema. */
export const scriptVersion = 1

/**
 * A fault script as data.
 *
 * **Source** fault-server.md, sections 9.1.2 and 9.8
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultsScript {
  readonly sequence?: ReadonlyArray<SequenceEntry>
  readonly repeatLast?: boolean
  readonly options?: FaultOptions
  readonly weights?: FaultWeights
  readonly profile?: IncidenceProfile
  readonly keyed?: boolean
  readonly lanes?: Readonly<Record<string, LaneScript>>
  readonly laneBy?: ReadonlyArray<LaneRule>
  readonly perLane?: boolean
  readonly strictLanes?: boolean
  readonly lanePort?: boolean
  readonly onlyForeground?: boolean
}

type Members = Readonly<Record<string, unknown>>

const flags = ["repeatLast", "keyed", "perLane", "strictLanes", "lanePort", "onlyForeground"] as const
const members = ["version", "sequence", "options", "weights", "profile", "lanes", "laneBy", ...flags]

/**
 * Checks a document: every member known, every value allowed.
 *
 * **Fails** with `InvalidOption`, naming the path of the first problem
 *
 * @since 0.1.0
 * @category constructors
 */
export const readFaultsScript = (value: unknown): FaultsScript => {
  if (isRecord(value) && Object.hasOwn(value, "seed")) {
    throw new InvalidOption(
      'the script has the unknown member "seed"; the seed is given on the command line, by --seed'
    )
  }
  const document = readObject(value, "the script", members)
  if (document["version"] !== scriptVersion) {
    const found = document["version"] === undefined ? "missing" : JSON.stringify(document["version"])
    throw new InvalidOption(`version is ${found}; give ${scriptVersion}, the version of the schema of this file`)
  }
  if (document["profile"] !== undefined && document["weights"] !== undefined) {
    throw new InvalidOption("profile and weights both say what random means; give one of them")
  }
  return {
    ...member(document, "sequence", (given) => ({ sequence: readEntries(given, ["sequence"]) })),
    ...flagsOf(document),
    ...member(document, "options", (given) => ({ options: readFaultOptions(given, "options") })),
    ...member(document, "weights", (given) => ({ weights: readWeights(given, "weights") })),
    ...member(document, "profile", (given) => ({ profile: readProfileMember(given) })),
    ...member(document, "laneBy", (given) => ({ laneBy: readRules(given) })),
    ...member(document, "lanes", (given) => ({ lanes: readLanes(given) }))
  }
}

const member = (
  document: Members,
  name: keyof FaultsScript,
  read: (value: unknown) => Partial<FaultsScript>
): Partial<FaultsScript> => (document[name] === undefined ? {} : read(document[name]))

const flagsOf = (document: Members): Partial<FaultsScript> =>
  Object.fromEntries(
    flags.filter((name) => document[name] !== undefined).map((name) => [name, readBoolean(document[name], name)])
  )

const readProfileMember = (value: unknown): IncidenceProfile =>
  typeof value === "string" ? builtInProfile(value) : readProfile(value)

const readRules = (value: unknown): ReadonlyArray<LaneRule> =>
  readList(value, "laneBy").map((rule, index) => readLaneRule(rule, formatPath(["laneBy", index])))

const readLanes = (value: unknown): Readonly<Record<string, LaneScript>> => {
  if (!isRecord(value))
    throw new InvalidOption(`lanes is ${describe(value)}; give an object, a script for each key or pattern`)
  return Object.fromEntries(Object.entries(value).map(([key, script]) => [key, readLane(key, script)]))
}

const readLane = (key: string, value: unknown): LaneScript => {
  const path = formatPath(["lanes", key])
  const lane = readObject(value, path, ["sequence", "repeatLast", "weights", "options"])
  const { sequence, repeatLast, weights, options } = lane
  if (sequence === undefined) throw new InvalidOption(`${path}.sequence is missing; give a list of entries`)
  const entries = readEntries(sequence, ["lanes", key, "sequence"])
  // Once more as a whole, for what is wrong with the order.
  readSequence(entries, { repeatLast: repeatLast === true, countsConnects: false, name: `${path}.sequence` })
  return {
    sequence: entries,
    ...(repeatLast === undefined ? {} : { repeatLast: readBoolean(repeatLast, `${path}.repeatLast`) }),
    ...(weights === undefined ? {} : { weights: weightsObject(readWeights(weights, `${path}.weights`)) }),
    ...(options === undefined ? {} : { options: readFaultOptions(options, `${path}.options`) })
  }
}

/** Weights in the form of the library; the order of the members is theirs. */
export const weightsObject = (weights: FaultWeights): RandomWeights => {
  const object: Partial<Record<FaultName, number>> = {}
  for (const [name, weight] of weights) object[name] = weight
  return object
}

const readEntries = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<SequenceEntry> => {
  const list = readList(value, formatPath(path))
  if (list.length === 0) throw new InvalidOption(`${formatPath(path)} is empty; it needs a non-empty list of entries`)
  return list.map((entry, index) => readEntry(entry, formatPath([...path, index])))
}

const readEntry = (value: unknown, path: string): SequenceEntry => {
  const entry = typeof value === "string" ? value : readLongEntry(value, path)
  // Read alone, so that the message tells where it stands; what follows lets a gap be read too.
  readSequence([entry, "success"], { repeatLast: true, countsConnects: true, name: path })
  return entry
}

const readLongEntry = (value: unknown, path: string): SequenceEntry => {
  const { behavior, times, options } = readObject(value, path, ["behavior", "times", "options"])
  return {
    behavior: readText(behavior, `${path}.behavior`),
    ...(times === undefined ? {} : { times: readWhole(times, `${path}.times`, { least: 1, most: entriesMax }) }),
    ...(options === undefined ? {} : { options: readFaultOptions(options, `${path}.options`) })
  }
}

const readFaultOptions = (value: unknown, path: string): FaultOptions => {
  if (isFaultOptions(value, path)) return value
  throw new InvalidOption(`${path} cannot be read`)
}

/** Throws where it would say no, so that the message says why. */
const isFaultOptions = (value: unknown, path: string): value is FaultOptions => {
  checkEntryOptions(value, path)
  return true
}
