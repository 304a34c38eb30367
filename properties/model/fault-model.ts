import { type FaultName, isFaultName } from "../../src/domain/fault-names.ts"
import { type FaultSettings, faultDefaults } from "../../src/domain/fault-options.ts"
import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"
import { defaultRandomWeights, type FaultWeights } from "../../src/faults/chance/weights.ts"
import { derive } from "../../src/kernel/derive-seed.ts"
import { mulberry32 } from "../../src/kernel/mulberry32.ts"
import { bodyOf, type FaultAsk, formatOfAsk, recordedPath } from "./fault-ask.ts"
import { type FaultEntry, type FaultHistory, type FaultSetup, isGap, type LanesSpec } from "./fault-history.ts"

/** What has to become of a request. */
export type Decision =
  | { readonly kind: "refused"; readonly reason: Refusal; readonly status: number }
  | ({ readonly kind: "accepted" } & Accepted)

export type Refusal = "method" | "route" | "auth" | "too_large" | "json" | "fault_header" | "unknown_lane"

export interface Accepted {
  readonly attempt: number
  readonly path: string
  readonly format: FaultFormat
  readonly isStream: boolean
  readonly lane: string
  /** The lane is named by a digest that the model does not make. */
  readonly isDigest: boolean
  readonly laneAttempt: number
  readonly scriptBehavior: FaultName | "random" | "script_exhausted"
  /** `null` where it follows from such a digest. */
  readonly behavior: FaultName | "script_exhausted" | null
  readonly settings: FaultSettings
}

/** The rules of a fault server, as small as they can be said: gates, lanes, cursors, numbers. */
export interface FaultModel {
  /** The body of a request is there, or is not wanted. */
  decide(ask: FaultAsk): Decision
}

interface ModelScript {
  readonly entries: ReadonlyArray<FaultEntry>
  readonly repeatLast: boolean
  readonly options: Partial<FaultSettings>
  readonly weights: FaultWeights
}

interface ModelLane {
  readonly script: ModelScript
  readonly unit: (() => number) | null
  taken: number
}

/** What a lane is called when nothing says another name. */
const defaultLane = "default"

export const makeFaultModel = ({ setup }: FaultHistory): FaultModel => {
  const lanes = new Map<string, ModelLane>()
  const draws = [...(setup.draws ?? [])]
  let attempts = 0

  const choose = ({ script: { weights }, unit }: ModelLane): FaultName | null => {
    if (setup.draws !== null) return listed(weights, draws.shift() ?? 0)
    return unit === null ? null : walk(weights, unit())
  }

  const take = (place: string, isDigest: boolean, script: ModelScript): Taken => {
    const lane = lanes.get(place) ?? { script, unit: isDigest ? null : unitOf(setup.seed, place), taken: 0 }
    lanes.set(place, lane)
    const { entries, repeatLast, options } = script
    const entry = entries[lane.taken] ?? (repeatLast ? entries.at(-1) : undefined)
    lane.taken++
    const got = { lane: place, isDigest, laneAttempt: lane.taken }
    if (entry === undefined) {
      return { ...got, scriptBehavior: "script_exhausted", behavior: "script_exhausted", options }
    }
    const { behavior, mode, options: own } = entry
    return {
      ...got,
      scriptBehavior: behavior,
      behavior: behavior === "random" ? choose(lane) : behavior,
      options: { ...options, ...(mode === null ? {} : { resetMode: mode }), ...own }
    }
  }

  const takeFor = (ask: FaultAsk, format: FaultFormat): Taken | Refusal => {
    const apart = { isDigest: false, laneAttempt: 1 }
    if (ask.fault !== null && setup.lanes?.isStrict !== true) {
      if (ask.fault === "none such") return "fault_header"
      const mode = ask.faultMode === null ? {} : { resetMode: ask.faultMode }
      const options = { ...setup.settings, ...mode }
      return { ...apart, lane: "header", scriptBehavior: ask.fault, behavior: ask.fault, options }
    }
    if (setup.lanes?.onlyForeground === true && !ask.isTurn) {
      const { settings: options } = setup
      return { ...apart, lane: "auxiliary", scriptBehavior: "success", behavior: "success", options }
    }
    const key = keyOf(ask, format, setup.lanes)
    const found = scriptFor(setup, key.name)
    if (found === null) return "unknown_lane"
    return found.isOwn ? take(key.name, key.isDigest, found.script) : take(defaultLane, false, found.script)
  }

  return {
    decide(ask) {
      const format = formatOfAsk(ask)
      const refusal = refusalOf(setup, ask, format)
      if (refusal !== null || format === null) return refused(refusal ?? "route")
      const taken = takeFor(ask, format)
      if (typeof taken === "string") return refused(taken)
      const { options, ...got } = taken
      return {
        kind: "accepted",
        attempt: ++attempts,
        path: recordedPath(ask),
        format,
        isStream: isStreamFor(setup, ask),
        settings: { ...faultDefaults, ...options },
        ...got
      }
    }
  }
}

type Taken = Pick<Accepted, "lane" | "isDigest" | "laneAttempt" | "scriptBehavior" | "behavior"> & {
  readonly options: Partial<FaultSettings>
}

const statuses: Readonly<Record<Refusal, number>> = {
  method: 405,
  route: 404,
  auth: 401,
  too_large: 413,
  json: 400,
  fault_header: 400,
  unknown_lane: 421
}

const refused = (reason: Refusal): Decision => ({ kind: "refused", reason, status: statuses[reason] })

/** The earliest gate that a request fails. */
const refusalOf = (setup: FaultSetup, ask: FaultAsk, format: FaultFormat | null): Refusal | null => {
  const { text, same } = bodyOf(ask.body)
  const isKnown = format !== null && (setup.formats === null || setup.formats.includes(format))
  const isKeyed = ask.key === "right" || (ask.key === "inMessages" && format === "messages")
  const isEmpty = text === "" && !ask.isLarge
  if (ask.method !== "POST") return "method"
  if (!isKnown) return "route"
  if (setup.hasKey && !isKeyed) return "auth"
  if (setup.isLimited && ask.isLarge) return "too_large"
  return same === undefined || (text === "" && !isEmpty) ? "json" : null
}

const isStreamFor = ({ terms }: FaultSetup, { body }: FaultAsk): boolean => {
  const { isStream } = bodyOf(body)
  if (terms.streaming === "sse") return true
  return terms.streaming === "strict" ? isStream === true : isStream !== false
}

const keyOf = (ask: FaultAsk, format: FaultFormat, lanes: LanesSpec | null) => {
  for (const rule of lanes?.by ?? []) {
    if (rule === "fingerprint") return { name: `call ${format} ${bodyOf(ask.body).same}`, isDigest: true }
    const name = rule === "path" ? ask.pathLane : ask.headerLane
    if (name !== null && name !== "") return { name, isDigest: false }
  }
  return { name: defaultLane, isDigest: false }
}

const scriptFor = (
  setup: FaultSetup,
  key: string
): { readonly script: ModelScript; readonly isOwn: boolean } | null => {
  const { lanes, settings, script } = setup
  const weights = setup.weights ?? defaultWeights
  const scripts = lanes?.scripts ?? []
  const named =
    scripts.find(({ pattern }) => pattern === key) ??
    scripts.find(({ pattern }) => pattern !== "*" && pattern.endsWith("*") && key.startsWith(pattern.slice(0, -1))) ??
    scripts.find(({ pattern }) => pattern === "*")
  if (named !== undefined) {
    const options = { ...settings, ...named.options }
    return { isOwn: true, script: { ...listOf(named), options, weights: named.weights ?? weights } }
  }
  if (script === null || (lanes?.isStrict === true && key !== defaultLane)) return null
  const isOwn = lanes === null ? false : (lanes.perLane ?? true)
  return { isOwn, script: { ...listOf(script), options: settings, weights } }
}

const listOf = ({ entries, repeatLast }: NonNullable<FaultSetup["script"]>) => ({
  entries: entries.flatMap((entry) => (isGap(entry) ? [] : Array.from({ length: entry.times }, () => entry))),
  repeatLast
})

const defaultWeights: FaultWeights = Object.entries(defaultRandomWeights).flatMap(([name, weight]) =>
  isFaultName(name) ? [[name, weight] as const] : []
)

const unitOf = (seed: number, place: string): (() => number) => {
  const next = mulberry32(place === defaultLane ? seed : derive(seed, `lane:${place}`))
  return () => next() / 2 ** 32
}

const walk = (weights: FaultWeights, unit: number): FaultName | null => {
  let rest = unit * weights.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of weights) {
    if (rest < weight) return name
    rest -= weight
  }
  return weights.findLast(([, weight]) => weight > 0)?.[0] ?? null
}

/** The calm choice stands first. */
const listed = (weights: FaultWeights, draw: number): FaultName | null => {
  const names = weights.flatMap(([name, weight]) => (weight > 0 ? [name] : []))
  const ordered = names.includes("success")
    ? ["success" as const, ...names.filter((name) => name !== "success")]
    : names
  return ordered[draw % ordered.length] ?? null
}
