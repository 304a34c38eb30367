import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { type FaultName, isFaultName } from "../../domain/fault-names.ts"
import { describe } from "../../domain/json.ts"
import type { Burst } from "./burst.ts"
import type { Evidence, IncidenceProfile, MeasuredProfile, ProfileTiming } from "./profile.ts"
import { readBoolean, readList, readNumber, readObject, readText, readWhole, readWord } from "./read-members.ts"
import { type TimingDistribution, timingKinds } from "./timing.ts"
import { checkWeights, type FaultWeights } from "./weights.ts"

/**
 * Checks a profile document, for example one that was read from a JSON file.
 *
 * **Gives** a frozen copy; zero weights are dropped
 * **Fails** with `InvalidOption`, naming the member: unknown and missing members, values out of range, a pressure
 * profile that says where its numbers were measured
 * **Source** fault-server.md, section 9.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const readProfile = (value: unknown): IncidenceProfile => {
  const document = readObject(value, "profile", [...sharedMembers, ...measuredMembers])
  const kind = readWord(document["kind"], "profile.kind", ["pressure", "measured"])
  const shared = {
    name: readText(document["name"], "profile.name"),
    version: readWhole(document["version"], "profile.version", wholes),
    weights: readWeightList(document["weights"], "profile.weights"),
    ...(document["burst"] === undefined ? {} : { burst: readBurst(document["burst"]) }),
    ...(document["timing"] === undefined ? {} : { timing: readTiming(document["timing"]) })
  }
  if (kind === "measured") return deepFreeze({ kind, ...shared, ...readOrigin(document) })
  const measured = measuredMembers.find((name) => document[name] !== undefined)
  if (measured === undefined) return deepFreeze({ kind, ...shared })
  throw new InvalidOption(`profile.${measured} is for kind "measured" alone; pressure says nothing about incidence`)
}

const sharedMembers = ["name", "version", "kind", "weights", "burst", "timing"] as const
const measuredMembers = ["source", "window", "requests", "evidence"] as const
const wholes = { least: 1, most: Number.MAX_SAFE_INTEGER }
const shares = { least: 0, most: 1 }
const delays = { least: 0, most: delayMsMax }

const readWeightList = (value: unknown, path: string): FaultWeights =>
  checkWeights(
    readList(value, path).map((entry, index) => {
      const [name, weight, ...rest] = readList(entry, `${path}[${index}]`)
      if (rest.length === 0) return [name, weight]
      throw new InvalidOption(`${path}[${index}] is ${describe(entry)}; give [behavior, weight]`)
    }),
    path
  )

const readOrigin = (document: Readonly<Record<string, unknown>>): Omit<MeasuredProfile, "kind" | SharedMember> => {
  const requests = readWhole(document["requests"], "profile.requests", wholes)
  return {
    source: readText(document["source"], "profile.source"),
    window: readText(document["window"], "profile.window"),
    requests,
    ...(document["evidence"] === undefined ? {} : { evidence: readEvidence(document["evidence"], requests) })
  }
}

type SharedMember = (typeof sharedMembers)[number]

const readEvidence = (value: unknown, requests: number): ReadonlyArray<Evidence> =>
  readList(value, "profile.evidence").map((entry, index) => {
    const path = `profile.evidence[${index}]`
    const members = readObject(entry, path, ["behavior", "count", "low", "high", "isRare"])
    const low = readNumber(members["low"], `${path}.low`, shares)
    return {
      behavior: readBehavior(members["behavior"], `${path}.behavior`),
      count: readWhole(members["count"], `${path}.count`, { least: 0, most: requests }),
      low,
      high: readNumber(members["high"], `${path}.high`, { least: low, most: 1 }),
      isRare: readBoolean(members["isRare"], `${path}.isRare`)
    }
  })

const readBehavior = (value: unknown, path: string): FaultName => {
  if (isFaultName(value)) return value
  throw new InvalidOption(`${path} is ${describe(value)}, which is no concrete behavior; name one of the catalogue`)
}

const readBurst = (value: unknown): Burst => {
  const members = readObject(value, "profile.burst", ["enter", "leave", "weights"])
  return {
    enter: readNumber(members["enter"], "profile.burst.enter", shares),
    leave: readNumber(members["leave"], "profile.burst.leave", shares),
    weights: readWeightList(members["weights"], "profile.burst.weights")
  }
}

const readTiming = (value: unknown): ProfileTiming => {
  const members = readObject(value, "profile.timing", timingKinds)
  const given = timingKinds.filter((kind) => members[kind] !== undefined)
  return Object.fromEntries(given.map((kind) => [kind, readDistribution(members[kind], `profile.timing.${kind}`)]))
}

const readDistribution = (value: unknown, path: string): TimingDistribution => {
  const { kind: named } = readObject(value, path, ["kind", "ms", "leastMs", "mostMs", "meanMs", "capMs"])
  const kind = readWord(named, `${path}.kind`, ["fixed", "uniform", "exponential"])
  return distributionReaders[kind](value, path)
}

type DistributionReader = (value: unknown, path: string) => TimingDistribution

const distributionReaders: Readonly<Record<TimingDistribution["kind"], DistributionReader>> = {
  fixed: (value, path) => {
    const { ms } = readObject(value, path, ["kind", "ms"])
    return { kind: "fixed", ms: readWhole(ms, `${path}.ms`, delays) }
  },
  uniform: (value, path) => {
    const members = readObject(value, path, ["kind", "leastMs", "mostMs"])
    const leastMs = readWhole(members["leastMs"], `${path}.leastMs`, delays)
    const mostMs = readWhole(members["mostMs"], `${path}.mostMs`, { ...delays, least: leastMs })
    return { kind: "uniform", leastMs, mostMs }
  },
  exponential: (value, path) => {
    const members = readObject(value, path, ["kind", "meanMs", "capMs"])
    const meanMs = readNumber(members["meanMs"], `${path}.meanMs`, delays)
    return { kind: "exponential", meanMs, capMs: readWhole(members["capMs"], `${path}.capMs`, delays) }
  }
}

const deepFreeze = <T>(value: T): T => {
  if (typeof value !== "object" || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
