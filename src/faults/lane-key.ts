import { canonicalJson } from "../domain/canonical-json.ts"
import { identify } from "../domain/conversation.ts"
import { sha256 } from "../domain/digest.ts"
import { InvalidOption } from "../domain/errors.ts"
import { describe, type JsonBody } from "../domain/json.ts"
import { valueAt } from "../domain/json-pointer.ts"
import { firstHeader } from "../domain/request.ts"
import { isSecretHeader } from "../domain/secret-header.ts"
import type { AttemptedRequest } from "../serving/attempts.ts"
import { defaultLane } from "./chance/lane-seed.ts"

/**
 * Where the key of a lane is taken from: `/lanes/KEY/` in the path, a header, the bearer token or key, a JSON pointer into the
 * body, the session, or the whole request (`fingerprint`: the retries of one call share a lane).
 *
 * **Source** fault-server.md, section 9.1.1; issue 4, point 3
 *
 * @since 0.1.0
 * @category lanes
 */
export type LaneRule = "path" | "bearer" | "session" | "fingerprint" | `header:${string}` | `json:${string}`

/** A request, as far as lanes look at it. */
export interface LaneRequest extends AttemptedRequest {
  /** The key in its path, if there was one. */
  readonly pathKey: string | null
}

/** The key of a lane, and what it is called in records, where no secret may stand. */
export interface LaneKey {
  readonly key: string
  readonly name: string
}

/** Longer keys are shortened to a digest: lanes are remembered. */
const keyLengthMax = 256

/**
 * The lane of a request: the first rule that gives a key, or `undefined`.
 *
 * @since 0.1.0
 * @category lanes
 */
export const laneKey = (request: LaneRequest, rules: ReadonlyArray<LaneRule>): LaneKey | undefined => {
  for (const rule of rules) {
    const found = keyBy(rule, request)
    if (found === undefined || found === "") continue
    const key = found.length > keyLengthMax ? sha256(found) : found
    return { key, name: isSecret(rule) ? secretName(key) : key }
  }
  return undefined
}

/** What a lane is called whose key a configuration names: where keys may be secrets, none is told. */
export const declaredLaneName = (key: string, rules: ReadonlyArray<LaneRule>): string =>
  rules.some(isSecret) && key !== "*" ? secretName(key) : key

/** The lane of all other callers has one name, also where keys are secrets. */
const secretName = (key: string): string => (key === defaultLane ? defaultLane : `secret-${sha256(key).slice(0, 8)}`)

const isSecret = (rule: LaneRule): boolean => {
  if (rule === "bearer") return true
  const [kind, name] = splitRule(rule)
  return kind === "header" && isSecretHeader(name)
}

/** The name of a lane in messages for people: digests, as `fingerprint` gives them, by their beginning. */
export const shortLaneName = (name: string): string => (/^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : name)

const keyBy = (rule: LaneRule, request: LaneRequest): string | undefined => {
  const { head, body, endpoint } = request
  if (rule === "path") return request.pathKey ?? undefined
  if (rule === "bearer") return bearerOf(request) ?? firstHeader(head.headers, "x-api-key")
  if (rule === "session") return sessionOf(request)
  if (rule === "fingerprint") return sha256(`${head.method} ${endpoint} ${canonicalText(body)}`)
  const [kind, detail] = splitRule(rule)
  if (kind === "header") return firstHeader(head.headers, detail.toLowerCase())
  const value = valueAt(body.value, detail)
  if (value === undefined || value === null) return undefined
  return typeof value === "string" ? value : spelled(value, body)
}

/** What is nested too deep to be spelled counts as what was sent. */
const spelled = (value: unknown, { text }: JsonBody): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return text
  }
}

const bearerOf = ({ head }: LaneRequest): string | undefined =>
  /^bearer +(\S+)$/i.exec(firstHeader(head.headers, "authorization") ?? "")?.[1]

/** The text of the body has no part in it; a short one saves spelling it canonically. */
const sessionOf = (request: LaneRequest): string =>
  identify({ ...request, headers: request.head.headers, body: { text: "null", value: request.body.value } }).session

const splitRule = (rule: string): readonly [kind: string, detail: string] => {
  const colon = rule.indexOf(":")
  return [rule.slice(0, colon), rule.slice(colon + 1)]
}

/** Bodies may be nested deeper than canonical spelling can follow; those are compared as they were sent. */
export const canonicalText = ({ text }: JsonBody): string => {
  try {
    return canonicalJson(text)
  } catch {
    return JSON.stringify(text)
  }
}

const plainRules: ReadonlyArray<string> = ["path", "bearer", "session", "fingerprint"]

/**
 * Reads a rule.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category encoding
 */
export const readLaneRule = (rule: unknown, option = "lanes.by"): LaneRule => {
  if (typeof rule === "string") {
    if (rule === "path" || rule === "bearer" || rule === "session" || rule === "fingerprint") return rule
    const [kind, detail] = splitRule(rule)
    if (kind === "header" && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(detail)) return `header:${detail}`
    if (kind === "json" && (detail === "" || detail.startsWith("/"))) return `json:${detail}`
  }
  throw new InvalidOption(
    `${option} holds ${describe(rule)}; use ${plainRules.join(", ")}, header:NAME, or json:/POINTER into the body`
  )
}
