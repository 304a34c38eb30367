import { InvalidOption } from "../../domain/errors.ts"
import {
  openObject,
  orElse,
  orNull,
  type Read,
  readInteger,
  readList,
  readOneOf,
  readWhole,
  refuse
} from "../../domain/field-readers.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { type Direction, everyFrame, type FaultAction, type FaultProgram, type FaultRule } from "./fault-program.ts"
import { delayMsMax, readAction } from "./read-action.ts"
import { readMatch, readSpan } from "./read-match.ts"
import { readRuleId } from "./read-rule-id.ts"

/** More rules than anybody writes; each costs time for each frame. */
const rulesMax = 10_000
const most = Number.MAX_SAFE_INTEGER

/**
 * Reads a fault plan: `{ rules }`, or the plan with one direction and up to four faults, which is short for rules.
 *
 * **Takes** plain data, as JSON holds it; nothing, `null` and `{}` are the plan without faults
 * **Gives** rules that have every member; reading them again gives equal ones
 * **Fails** with `InvalidOption`, naming the place: unknown names (with what was probably meant), ids twice, numbers out of range
 * **Source** agent-harness.md, section 6.3
 *
 * @since 0.1.0
 * @category guards
 */
export const readPlan = (source?: unknown): FaultProgram => readPlanOr(source, invalid)

/**
 * The same for who knows where the plan is written.
 *
 * **Fails** with what `refused` makes of a message and the place it is about, as in `rules[0].action`
 *
 * @since 0.1.0
 * @category guards
 */
export const readPlanOr = (source: unknown, refused: (message: string, at: string) => Error): FaultProgram =>
  readWhole(readAny, "fault plan", refused)(source)

const invalid = (message: string): Error => new InvalidOption(message)

const readAny = (source: unknown): FaultProgram => {
  if (source === undefined || source === null) return { rules: [] }
  if (!isRecord(source)) return readShortPlan(source)
  if (!isPlainObject(source)) return refuse("", `is ${describe(source)}; give an object, with rules or with faults`)
  return Object.hasOwn(source, "rules") ? readProgram(source) : readShortPlan(source)
}

/** A map or a date has no members of its own: it would be a plan without faults. */
const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))

const readProgram = (source: unknown): FaultProgram => {
  const field = openObject(source, "", ["rules"])
  const sources = field(
    "rules",
    readList((value, at) => ({ value, at }), { least: 0, most: rulesMax })
  )
  const rules = sources.map(({ value, at }, place) => readRuleAt(value, { at, id: `rule-${place + 1}` }))
  const seen = new Set<string>()
  for (const [place, { id }] of rules.entries()) {
    if (seen.has(id)) refuse(`rules[${place}].id`, `is ${describe(id)}, as that of a rule before it`)
    seen.add(id)
  }
  return { rules }
}

/**
 * Reads one rule, for a plan that is running; `id` is its name where it has none.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category guards
 */
export const readRule = (value: unknown, { id }: { readonly id: string }): FaultRule =>
  readWhole((source) => readRuleAt(source, { at: "rule", id }), "fault plan", invalid)(value)

const readRuleAt = (value: unknown, { at, id }: { readonly at: string; readonly id: string }): FaultRule => {
  const field = openObject(value, at, ["id", "direction", "connection", "match", "action", "times"])
  return {
    id: field("id", orElse(readRuleId, id)),
    direction: field("direction", orElse(readEitherDirection, "clientToLeader")),
    connection: field("connection", orNull(readSpan)),
    match: field("match", readMatch),
    action: field("action", readAction),
    times: field("times", orNull(readInteger({ least: 1, most })))
  }
}

const full = { c2u: "clientToLeader", u2c: "leaderToClient" } as const

/** A direction by its name or its short one. */
export const readDirection: Read<Direction> = (value, at) => {
  const name = readOneOf(["clientToLeader", "leaderToClient", "c2u", "u2c"])(value, at)
  return name === "c2u" || name === "u2c" ? full[name] : name
}

export const readEitherDirection: Read<Direction | "both"> = (value, at) => {
  const name = readOneOf(["clientToLeader", "leaderToClient", "c2u", "u2c", "both"])(value, at)
  return name === "c2u" || name === "u2c" ? full[name] : name
}

const readIndex = readInteger({ least: 0, most })

const readSever: Read<{ readonly frame: number; readonly afterBytes: number | null }> = (value, at) => {
  if (!isRecord(value)) return { frame: readIndex(value, at), afterBytes: null }
  const field = openObject(value, at, ["frame", "afterBytes"])
  return { frame: field("frame", readIndex), afterBytes: field("afterBytes", orNull(readIndex)) }
}

const readDelay: Read<{ readonly frame: number; readonly ms: number }> = (value, at) => {
  const field = openObject(value, at, ["frame", "ms"])
  return { frame: field("frame", readIndex), ms: field("ms", readInteger({ least: 0, most: delayMsMax })) }
}

/** Each fault of the short plan is a rule with its name as id. */
const readShortPlan = (source: unknown): FaultProgram => {
  // Whoever writes a rule alone, or a list of them, is to hear where rules stand.
  const field = openObject(source, "", ["rules", "direction", "dropFrame", "severMidFrame", "delay", "duplicateFrame"])
  const direction = field("direction", orElse(readDirection, "clientToLeader"))
  const rule = (id: string, index: number, action: FaultAction): FaultRule => ({
    id,
    direction,
    connection: null,
    match: { ...everyFrame, index },
    action,
    times: null
  })
  const drop = field("dropFrame", orNull(readIndex))
  const sever = field("severMidFrame", orNull(readSever))
  const delay = field("delay", orNull(readDelay))
  const duplicate = field("duplicateFrame", orNull(readIndex))
  return {
    rules: [
      ...(drop === null ? [] : [rule("dropFrame", drop, { type: "drop" })]),
      ...(sever === null ? [] : [rule("severMidFrame", sever.frame, { type: "sever", afterBytes: sever.afterBytes })]),
      ...(delay === null ? [] : [rule("delay", delay.frame, { type: "delay", ms: delay.ms })]),
      ...(duplicate === null ? [] : [rule("duplicateFrame", duplicate, { type: "duplicate", copies: 2 })])
    ]
  }
}
