import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption } from "../domain/errors.ts"
import { describe, isRecord } from "../domain/json.ts"
import { unknownMember } from "../domain/option-checks.ts"
import { suggestion } from "../domain/spelling.ts"
import type { ServerOptions, ServerPreset } from "./server-api.ts"

const portMax = 65_535

/** Every option of a server: one that is added without its name here does not compile. */
const known: Readonly<Record<keyof (ServerOptions & ServerPreset), true>> = {
  host: true,
  port: true,
  profile: true,
  sessions: true,
  strict: true,
  faultHeader: true,
  clock: true,
  prepare: true,
  models: true,
  token: true,
  bodyBytesMax: true,
  logEntriesMax: true,
  logBytesMax: true,
  traceEntriesMax: true,
  traceBytesMax: true
}

/** The names of all options of a server. */
export const serverOptionNames: ReadonlyArray<string> = Object.keys(known)

/**
 * Checks the options of a server before anything is bound.
 *
 * **Fails** with `InvalidOption`, naming option, value and range
 *
 * @since 0.1.0
 * @category guards
 */
export const checkServerOptions = (options: ServerOptions & ServerPreset): void => {
  const given: unknown = options
  if (!isRecord(given))
    throw new InvalidOption(`the options are ${describe(given)}; give an object, such as { strict: true }`)
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name))
      throw new InvalidOption(unknownMember(name, { path: "", names: serverOptionNames }))
  checkWhole("port", options.port, { least: 0, most: portMax })
  checkWhole("bodyBytesMax", options.bodyBytesMax, { least: 1 })
  checkWhole("logEntriesMax", options.logEntriesMax, { least: 1 })
  checkWhole("logBytesMax", options.logBytesMax, { least: 0 })
  checkWhole("traceEntriesMax", options.traceEntriesMax, { least: 1 })
  checkWhole("traceBytesMax", options.traceBytesMax, { least: 0 })
  const { profile, host, token, strict, sessions, faultHeader, prepare, models } = options
  if (profile !== undefined && profile !== "full" && profile !== "compact") {
    throw new InvalidOption(`profile is ${JSON.stringify(profile)}; use "full" or "compact"`)
  }
  if (options.clock !== undefined && options.clock !== "real" && options.clock !== "manual") {
    throw new InvalidOption(`clock is ${describe(options.clock)}; use "real" or "manual"`)
  }
  if (strict !== undefined && typeof strict !== "boolean") {
    throw new InvalidOption(`strict is ${describe(strict)}; use true or false`)
  }
  if (faultHeader !== undefined && typeof faultHeader !== "boolean") {
    throw new InvalidOption(`faultHeader is ${describe(faultHeader)}; use true or false`)
  }
  if (sessions !== undefined) checkSessions(sessions)
  if (prepare !== undefined && typeof prepare !== "function") {
    throw new InvalidOption(`prepare is ${describe(prepare)}; use a function, (server) => { ... }`)
  }
  if (models !== undefined) checkList("models", models)
  if (host !== undefined && (typeof host !== "string" || host === "")) {
    throw new InvalidOption(`host is ${JSON.stringify(host)}; use an address of this machine, for example "127.0.0.1"`)
  }
  if (token !== undefined && (typeof token !== "string" || token === "")) {
    throw new InvalidOption("the required key is empty; leave it out to require none")
  }
}

const sessionMembers = ["sessionHeader", "idempotencyHeader", "retries"]
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const checkSessions = (sessions: unknown): void => {
  if (!isRecord(sessions)) {
    throw new InvalidOption(
      `sessions is ${describe(sessions)}; use an object, for example { sessionHeader: "x-session" }`
    )
  }
  for (const [name, value] of Object.entries(sessions)) {
    if (!sessionMembers.includes(name)) {
      const known = sessionMembers.join(", ")
      throw new InvalidOption(`sessions has no member \`${name}\`; use ${known}${suggestion(name, sessionMembers)}`)
    }
    if (value === undefined) continue
    if (name === "retries") {
      if (value === "own" || value === "any") continue
      throw new InvalidOption(`sessions.retries is ${describe(value)}; use "own" or "any"`)
    }
    if (typeof value === "string" && headerName.test(value)) continue
    throw new InvalidOption(`sessions.${name} is ${describe(value)}; use the name of a header, for example "x-session"`)
  }
}

const checkWhole = (
  name: string,
  value: number | undefined,
  range: { readonly least: number; readonly most?: number }
): void => {
  if (value === undefined) return
  const most = range.most ?? Number.MAX_SAFE_INTEGER
  if (Number.isInteger(value) && value >= range.least && value <= most) return
  const allowed = range.most === undefined ? `from ${range.least}` : `from ${range.least} to ${range.most}`
  throw new InvalidOption(`${name} is ${String(value)}; use a whole number ${allowed}`)
}

/** Checks a pause in milliseconds. */
export const checkDelay = (name: string, ms: number | null): void => {
  if (ms === null || (typeof ms === "number" && ms >= 0 && ms <= delayMsMax)) return
  throw new InvalidOption(`${name} is ${String(ms)}; use milliseconds from 0 to ${delayMsMax}, or null for none`)
}

/** Checks what the types promise, for callers that have none. */
export const checkText = (name: string, text: string): string => {
  if (typeof text === "string") return text
  throw new InvalidOption(`the ${name} is ${describe(text)}; use a text`)
}

const timesMax = 100_000

/** Checks how often an expectation is registered. */
export const checkTimes = (times: number): void => checkWhole("times", times, { least: 1, most: timesMax })

/** Checks how long a close may drain; infinity waits for every answer. */
export const checkDrain = (ms: number): void => {
  if (typeof ms === "number" && (ms === Number.POSITIVE_INFINITY || (ms >= 0 && ms <= delayMsMax))) return
  throw new InvalidOption(`drainMs is ${String(ms)}; use milliseconds from 0 to ${delayMsMax}, or Infinity`)
}

/** Checks how many claims are waited for. */
export const checkCount = (count: number): void => {
  if (!Number.isInteger(count) || count < 0) throw new InvalidOption(`waitClaims(${count}): give a whole number from 0`)
}

/** Checks what the types promise, for callers that have none. */
export const checkList = <A>(name: string, list: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (Array.isArray(list)) return list
  throw new InvalidOption(`the ${name} are ${describe(list)}; use a list`)
}
