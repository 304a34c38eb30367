import { checkAnswerSize } from "../domain/answer-size.ts"
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
import { checkAnswers, laneScriptName } from "./check-answers.ts"
import type { FaultServerOptions, LaneOptions, LaneScript } from "./fault-server-api.ts"
import type { ReadyScript } from "./lane.ts"
import { type LaneRule, readLaneRule } from "./lane-key.ts"
import { readSequence } from "./read-sequence.ts"
import type { FaultScript } from "./script-entry.ts"

/** Options that passed every check, as the server works with them. */
export interface ReadyOptions {
  readonly base: ReadyScript | null
  readonly named: ReadonlyMap<string, ReadyScript>
  readonly profile: IncidenceProfile | null
  /** Whether each lane without a script of its own goes through the base script by itself. */
  readonly isPerLane: boolean
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

/** The names of all options of a fault server. */
export const faultServerNames: ReadonlyArray<string> = [
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
  checkKeyed(options, profile)
  const weights = weightsOf(options, profile)
  checkRest(given)
  checkAnswerSize("success", options)
  const base = script === null ? null : { script, options, weights }
  const named = namedScripts(options, { weights, countsConnects: world.countsConnects, options })
  const isPerLane = options.lanes?.perLane ?? (options.lanes?.by !== undefined && script !== null)
  if (isPerLane && script !== null && hasGap(script)) {
    throw new InvalidOption(
      "connection_refused in a script that each lane goes through by itself would refuse all callers; give it to " +
        "scripts of lanes that are named exactly, with lanes.lanePort: true, or say lanes.perLane: false"
    )
  }
  checkAnswers([
    ...(base === null ? [] : [["sequence", base] as const]),
    ...[...named].map(([key, ready]) => [laneScriptName(key), ready] as const)
  ])
  return {
    base,
    named,
    profile,
    isPerLane,
    laneRules: (options.lanes?.by ?? []).map((rule) => readLaneRule(rule)),
    formats: formatsOf(options.formats)
  }
}

const baseScript = ({ sequence, repeatLast = false, lanes }: FaultServerOptions, countsConnects: boolean) => {
  // Without it the lanes say whether it is missing: what is wrong with them comes first then.
  if (sequence === undefined && lanes !== undefined) checkLanes(lanes)
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

/** What lasts from one request to the next follows the order of arrival, and keyed faults must not. */
const checkKeyed = ({ keyed }: FaultServerOptions, profile: IncidenceProfile | null): void => {
  if (keyed !== true || profile?.burst === undefined) return
  throw new InvalidOption(
    `keyed draws each attempt by itself, and the burst of profile ${describe(profile.name)} needs an order of arrival; ` +
      "leave keyed out, or use a profile without burst"
  )
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
  const stray = Object.keys(given).find((name) => !faultServerNames.includes(name))
  if (stray === undefined) return
  const meant = shortNames.get(stray)
  const advice =
    meant === undefined
      ? suggestion(stray, faultServerNames) || `; known are ${faultServerNames.join(", ")}`
      : `; did you mean ${describe(meant)}?`
  throw new InvalidOption(`there is no option ${describe(stray)}${advice}`)
}

/** Options that have another name elsewhere. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["seed", "randomSeed"],
  ["weights", "randomWeights"],
  ["script", "sequence"],
  ["laneBy", "lanes.by"]
])

/** What the scripts of lanes have from the server where they say nothing. */
interface LaneBase {
  readonly weights: FaultWeights
  readonly countsConnects: boolean
  readonly options: FaultOptions
}

const laneMembers = ["by", "perLane", "scripts", "isStrict", "onlyForeground", "lanePort"]
const scriptMembers = ["sequence", "repeatLast", "weights", "options"]

const namedScripts = ({ lanes }: FaultServerOptions, base: LaneBase): ReadonlyMap<string, ReadyScript> => {
  if (lanes === undefined) return new Map()
  checkLanes(lanes)
  const scripts = Object.entries(lanes.scripts ?? {}).map(
    ([key, script]) => [key, readLaneScript(key, script, base)] as const
  )
  for (const [key, ready] of scripts) checkGaps(key, ready, lanes)
  return new Map(scripts)
}

const readLaneScript = (key: string, script: LaneScript, base: LaneBase): ReadyScript => {
  const where = `lanes.scripts[${describe(key)}]`
  checkMembers(script, scriptMembers, where)
  checkFlag(script.repeatLast, `${where}.repeatLast`)
  if (script.options !== undefined) checkEntryOptions(script.options, where)
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

/** Refusal is a property of a port: a lane that refuses needs its own, and a pattern has none. */
const checkGaps = (key: string, { script }: ReadyScript, lanes: LaneOptions): void => {
  if (!hasGap(script)) return
  if (key.includes("*")) {
    throw new InvalidOption(
      `lanes.scripts[${describe(key)}] refuses connects, which would refuse the other lanes too: lanes by pattern have no ` +
        "ports of their own; name each lane that refuses exactly, with lanes.lanePort: true"
    )
  }
  if (lanes.lanePort === true) return
  throw new InvalidOption(
    `lanes.scripts[${describe(key)}] refuses connects, which would refuse the other lanes too; use lanes.lanePort: true`
  )
}

const laneFlags = ["perLane", "isStrict", "onlyForeground", "lanePort"] as const

/** The form of it; what stands in the lists and scripts is read with them. */
const checkLanes = (lanes: LaneOptions): void => {
  checkMembers(lanes, laneMembers, "lanes")
  const { by, scripts }: { readonly by?: unknown; readonly scripts?: unknown } = lanes
  if (by !== undefined && !Array.isArray(by)) {
    throw new InvalidOption(`lanes.by is ${describe(by)}; give a list of rules, for example ["path"]`)
  }
  if (scripts !== undefined && !isRecord(scripts)) {
    throw new InvalidOption(`lanes.scripts is ${describe(scripts)}; give an object, a script for each key or pattern`)
  }
  for (const name of laneFlags) checkFlag(lanes[name], `lanes.${name}`)
}

const checkFlag = (value: unknown, name: string): void => {
  if (value === undefined || typeof value === "boolean") return
  throw new InvalidOption(`${name} is ${describe(value)}; use true or false`)
}

const hasGap = ({ gaps }: FaultScript): boolean => gaps.size > 0

const checkMembers = (value: unknown, members: ReadonlyArray<string>, where: string): void => {
  if (!isRecord(value))
    throw new InvalidOption(`${where} is ${describe(value)}; give an object with ${members.join(", ")}`)
  const stray = Object.keys(value).find((name) => !members.includes(name))
  if (stray === undefined) return
  throw new InvalidOption(
    `${where} has the member ${describe(stray)}${suggestion(stray, members) || `; it may have ${members.join(", ")}`}`
  )
}
