import {
  checkEntryOptions,
  checkListed,
  faultNumberChecks,
  faultOptionNames,
  faultTextChecks,
  filledText,
  integerBetween
} from "../domain/check-fault-options.ts"
import { InvalidOption } from "../domain/errors.ts"
import type { FaultOptions } from "../domain/fault-options.ts"
import { describe, isRecord } from "../domain/json.ts"
import { suggestion } from "../domain/spelling.ts"
import type { FaultFormat } from "./catalogue/voice.ts"
import { builtInProfile } from "./chance/built-in-profiles.ts"
import type { IncidenceProfile } from "./chance/profile.ts"
import { readProfile } from "./chance/read-profile.ts"
import { seedMax } from "./chance/simulate-choices.ts"
import { defaultRandomWeights, type FaultWeights, readWeights } from "./chance/weights.ts"
import type { FaultServerOptions, LaneOptions, LaneScript } from "./fault-server-api.ts"
import type { ReadyScript } from "./lane.ts"
import { type LaneRule, readLaneRule } from "./lane-key.ts"
import { readSequence } from "./read-sequence.ts"

/** Options that passed every check, as the server works with them. */
export interface ReadyOptions {
  readonly base: ReadyScript | null
  readonly named: ReadonlyMap<string, ReadyScript>
  readonly profile: IncidenceProfile | null
  readonly laneRules: ReadonlyArray<LaneRule>
  readonly formats: ReadonlyArray<FaultFormat>
}

/** All formats, which is the default. */
export const allFormats: ReadonlyArray<FaultFormat> = ["chat", "responses", "messages"]

const bodyBytesLimit = 1_073_741_824

/** What one of these options may be. */
const words: ReadonlyArray<readonly [name: keyof FaultServerOptions, allowed: ReadonlyArray<unknown>]> = [
  ["chunkShape", ["complete", "minimal"]],
  ["usagePlacement", ["attached", "trailing", "both", "none", "auto"]],
  ["streaming", ["strict", "auto", "sse"]],
  ["telemetry", ["baseline", "full"]],
  ["clock", ["manual"]],
  ["repeatLast", [true, false]],
  ["markErrors", [true, false]],
  ["keyed", [true, false]],
  ["faultHeader", [true, false]]
]

const known: ReadonlyArray<string> = [
  ...faultOptionNames,
  ...words.map(([name]) => name),
  "sequence",
  "host",
  "port",
  "apiKey",
  "randomSeed",
  "randomWeights",
  "profile",
  "lanes",
  "formats",
  "maxBodyBytes",
  "recordsMax",
  "onEvent"
]

/**
 * Checks the options of a fault server before a port is bound, and reads its scripts. The first problem is told.
 *
 * **Fails** with `InvalidOption`, naming the option and what is allowed
 * **Source** fault-server.md, sections 4.3 and 6.2
 *
 * @since 0.1.0
 * @category guards
 */
export const checkFaultServer = (
  options: FaultServerOptions,
  world: { readonly countsConnects: boolean }
): ReadyOptions => {
  const asked: unknown = options
  if (!isRecord(asked)) throw new InvalidOption(`the options are ${describe(asked)}; give { sequence: ["success"] }`)
  const given = asked
  checkListed(given, [["port", integerBetween(0, 65_535)]])
  checkListed(given, faultNumberChecks)
  checkListed(given, [
    ["randomSeed", integerBetween(0, seedMax)],
    ["host", filledText]
  ])
  const script = baseScript(options, world.countsConnects)
  checkListed(given, [["apiKey", filledText]])
  checkListed(given, faultTextChecks)
  const profile = profileOf(options)
  const weights = weightsOf(options, profile)
  checkRest(given)
  return {
    base: script === null ? null : { script, options, weights },
    named: namedScripts(options, { weights, countsConnects: world.countsConnects, options }),
    profile,
    laneRules: (options.lanes?.by ?? []).map((rule) => readLaneRule(rule)),
    formats: formatsOf(options.formats)
  }
}

const baseScript = ({ sequence, repeatLast = false, lanes }: FaultServerOptions, countsConnects: boolean) => {
  if (sequence === undefined && Object.keys(lanes?.scripts ?? {}).length > 0) return null
  return readSequence(sequence, { repeatLast, countsConnects })
}

const weightsOf = (options: FaultServerOptions, profile: IncidenceProfile | null): FaultWeights => {
  if (profile !== null && options.randomWeights !== undefined) {
    throw new InvalidOption("randomWeights and profile both say what random means; give one of them")
  }
  return (
    profile?.weights ?? readWeights(options.randomWeights === undefined ? defaultRandomWeights : options.randomWeights)
  )
}

const profileOf = ({ profile }: FaultServerOptions): IncidenceProfile | null => {
  if (profile === undefined) return null
  return typeof profile === "string" ? builtInProfile(profile) : readProfile(profile)
}

const formatsOf = (formats: FaultServerOptions["formats"]): ReadonlyArray<FaultFormat> => {
  if (formats === undefined) return allFormats
  const asked: unknown = formats
  const isList = Array.isArray(asked) && asked.length > 0 && asked.every((format) => allFormats.includes(format))
  if (isList) return formats
  throw new InvalidOption(`formats is ${describe(asked)}; give a list of ${allFormats.join(", ")}`)
}

const checkRest = (given: Readonly<Record<string, unknown>>): void => {
  for (const [name, allowed] of words) {
    const value = given[name]
    if (value !== undefined && !allowed.includes(value)) {
      throw new InvalidOption(`${name} is ${describe(value)}; use ${allowed.map(describe).join(" or ")}`)
    }
  }
  checkListed(given, [
    ["maxBodyBytes", integerBetween(0, bodyBytesLimit)],
    ["recordsMax", integerBetween(0, Number.MAX_SAFE_INTEGER)]
  ])
  if (given["onEvent"] !== undefined && typeof given["onEvent"] !== "function") {
    throw new InvalidOption(`onEvent is ${describe(given["onEvent"])}; give a function that takes an event`)
  }
  const stray = Object.keys(given).find((name) => !known.includes(name))
  if (stray !== undefined) {
    throw new InvalidOption(
      `there is no option ${describe(stray)}${suggestion(stray, known) || `; known are ${known.join(", ")}`}`
    )
  }
}

/** What the scripts of lanes have from the server where they say nothing. */
interface LaneBase {
  readonly weights: FaultWeights
  readonly countsConnects: boolean
  readonly options: FaultOptions
}

const laneMembers = ["by", "perLane", "scripts", "isStrict", "onlyForeground", "lanePort"]
const scriptMembers = ["sequence", "repeatLast", "weights", "options"]

const namedScripts = ({ lanes, sequence }: FaultServerOptions, base: LaneBase): ReadonlyMap<string, ReadyScript> => {
  if (lanes === undefined) return new Map()
  checkMembers(lanes, laneMembers, "lanes")
  const scripts = Object.entries(lanes.scripts ?? {}).map(
    ([key, script]) => [key, readLaneScript(key, script, base)] as const
  )
  checkGaps(lanes, scripts)
  const isPerLane = lanes.perLane ?? (lanes.by !== undefined && sequence !== undefined)
  if (
    isPerLane &&
    sequence !== undefined &&
    hasGap(readSequence(sequence, { repeatLast: true, countsConnects: base.countsConnects }))
  ) {
    throw new InvalidOption(
      "connection_refused in a script for every lane would refuse all callers; use lanes.lanePort"
    )
  }
  return new Map(scripts)
}

const readLaneScript = (key: string, script: LaneScript, base: LaneBase): ReadyScript => {
  const where = `lanes.scripts[${describe(key)}]`
  checkMembers(script, scriptMembers, where)
  checkEntryOptions(script.options ?? {}, where)
  return {
    script: readSequence(script.sequence, {
      repeatLast: script.repeatLast ?? false,
      countsConnects: base.countsConnects,
      name: `${where}.sequence`
    }),
    options: { ...base.options, ...script.options },
    weights: script.weights === undefined ? base.weights : readWeights(script.weights, `${where}.weights`)
  }
}

/** Refusal is a property of a port: a lane that refuses needs its own. */
const checkGaps = (lanes: LaneOptions, scripts: ReadonlyArray<readonly [string, ReadyScript]>): void => {
  const [key] = scripts.find(([, { script }]) => hasGap(script)) ?? []
  if (key === undefined || lanes.lanePort === true) return
  throw new InvalidOption(
    `lanes.scripts[${describe(key)}] refuses connects, which would refuse the other lanes too; use lanes.lanePort: true`
  )
}

const hasGap = ({ gaps }: ReadyScript["script"]): boolean => gaps.size > 0

const checkMembers = (value: unknown, members: ReadonlyArray<string>, where: string): void => {
  if (!isRecord(value))
    throw new InvalidOption(`${where} is ${describe(value)}; give an object with ${members.join(", ")}`)
  const stray = Object.keys(value).find((name) => !members.includes(name))
  if (stray === undefined) return
  throw new InvalidOption(
    `${where} has the member ${describe(stray)}${suggestion(stray, members) || `; it may have ${members.join(", ")}`}`
  )
}
