import fc from "fast-check"

/** @since 0.1.0 @category running */
export interface CheckOptions {
  /** How many generated cases when `RUNS` is not set; 100 by default. Fewer for a property whose cases are slow. */
  readonly runs?: number
}

const seedByDefault = 20_260
const runsByDefault = 100

/**
 * Runs a property under the project's settings. `name` must be unique among the properties, and may hold any character
 * but `|`.
 *
 * **Reads** `SEED` (default 20260), `RUNS` (number of cases, over `options.runs`), `REPLAY`
 * **Fails** with an error whose message holds fast-check's report and one line `REPLAY='name|seed:path'`. With that in
 * the environment the property of that name runs exactly the counterexample, and no other property runs.
 * **Gives** a promise when the property is asynchronous
 * **Source** house-style.md, sections 1.5 and 10
 *
 * @since 0.1.0
 * @category running
 */
export function checkProperty<T>(name: string, property: fc.IAsyncProperty<T>, options?: CheckOptions): Promise<void>
export function checkProperty<T>(name: string, property: fc.IProperty<T>, options?: CheckOptions): void
export function checkProperty<T>(
  name: string,
  property: fc.IRawProperty<T>,
  options: CheckOptions = {}
): Promise<void> | void {
  if (isLeftOut(name)) return property.isAsync() ? Promise.resolve() : undefined
  const details = fc.check(property, readSettings(name, options, process.env))
  if (details instanceof Promise) return details.then((settled) => report(name, settled))
  report(name, details)
}

/** What fast-check is told; a type of its own because fast-check's depends on the property's values. */
export interface Settings {
  readonly seed: number
  readonly numRuns: number
  readonly path?: string
  readonly endOnFailure?: boolean
}

/**
 * Settings of one property from the environment.
 *
 * **Fails** when `SEED`, `RUNS` or a `REPLAY` of this name is malformed: a typo must not pass for a green run
 *
 * @since 0.1.0
 * @category running
 */
export const readSettings = (
  name: string,
  options: CheckOptions,
  environment: Readonly<Record<string, string | undefined>>
): Settings => {
  const numRuns = readInteger("RUNS", environment["RUNS"], options.runs ?? runsByDefault)
  const seed = readInteger("SEED", environment["SEED"], seedByDefault)
  const replay = environment["REPLAY"]
  if (replay === undefined || replay.slice(0, replay.lastIndexOf("|")) !== name) return { seed, numRuns }
  const [, replaySeed, path] = /\|(-?\d+)(?::(\d+(?::\d+)*))?$/.exec(replay) ?? []
  if (replaySeed === undefined) throw new Error(`REPLAY must read name|seed:path, as a failed run prints it: ${replay}`)
  return { seed: Number(replaySeed), numRuns, endOnFailure: true, ...(path === undefined ? {} : { path }) }
}

/**
 * Whether another property is replayed. The one that is leaves a mark in the environment, so that a run whose `REPLAY` names
 * none can be told.
 */
export const isLeftOut = (name: string, environment: Record<string, string | undefined> = process.env): boolean => {
  const replay = environment["REPLAY"]
  if (replay === undefined || replay === "") return false
  const isNamed = replay.slice(0, replay.lastIndexOf("|")) === name
  if (isNamed) environment["REPLAY_FOUND"] = "1"
  return !isNamed
}

const readInteger = (variable: string, text: string | undefined, otherwise: number): number => {
  if (text === undefined || text === "") return otherwise
  if (/^-?\d+$/.test(text)) return Number(text)
  throw new Error(`${variable} must be an integer: ${text}`)
}

const report = <T>(name: string, details: fc.RunDetails<T>): void => {
  if (!details.failed) return
  const path = details.counterexamplePath === null ? "" : `:${details.counterexamplePath}`
  const token = `${name}|${details.seed}${path}`.replaceAll("'", "'\\''")
  const text = fc.defaultReportMessage(details) ?? "the property failed"
  const reason = details.errorInstance instanceof Error ? `\n${details.errorInstance.message}` : ""
  throw new Error(`${text}${reason}\nREPLAY='${token}'`, { cause: details.errorInstance })
}
