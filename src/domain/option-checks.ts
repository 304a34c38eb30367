import { InvalidOption } from "./errors.ts"
import { isRecord, describe as shortText } from "./json.ts"
import { suggestion } from "./spelling.ts"

/** How an option is checked: what is wrong with the value at `path`, and what to give instead; `null` when nothing is. */
export type OptionCheck = (value: unknown, path: string) => string | null

/**
 * Refuses a value in which a check finds something wrong.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category guards
 */
export const checkOption = (one: OptionCheck, value: unknown, path = ""): void => {
  const problem = one(value, path)
  if (problem !== null) throw new InvalidOption(problem)
}

/** One that is a matter of yes or no. */
export const check =
  (isGood: (value: unknown) => boolean, advice: string): OptionCheck =>
  (value, path) =>
    isGood(value) ? null : `${path} is ${shown(value)}; give ${advice}`

/** A value for a message; JSON has no words for functions, and for numbers that are none. */
export const shown = (value: unknown): string => {
  if (typeof value === "number") return String(value)
  return typeof value === "function" ? "a function" : shortText(value)
}

const isNumber = (value: unknown): value is number => typeof value === "number"

export const whole = (least: number, most: number): OptionCheck =>
  check(
    (value) => Number.isInteger(value) && isNumber(value) && value >= least && value <= most,
    `a whole number from ${least} to ${most}`
  )

/** A number from 0 to 1, or to another bound. */
export const share = (most = 1): OptionCheck =>
  check((value) => isNumber(value) && value >= 0 && value <= most, `a number from 0 to ${most}`)

export const milliseconds: OptionCheck = check(
  (value) => isNumber(value) && Number.isFinite(value) && value >= 0,
  "a number of milliseconds from 0"
)

export const aFunction: OptionCheck = check((value) => typeof value === "function", "a function")
export const yesOrNo: OptionCheck = check((value) => typeof value === "boolean", "true or false")
export const anyText: OptionCheck = check((value) => typeof value === "string", "a text")
export const someText: OptionCheck = check((value) => typeof value === "string" && value !== "", "a text")

/** Who takes part: clients, peers, processes. */
export const aName: OptionCheck = check((value) => typeof value === "string" && value !== "", 'a name, such as "ann"')

/** One of some names; the nearest one is suggested. */
export const oneOf =
  (names: ReadonlyArray<string>): OptionCheck =>
  (value, path) => {
    if (typeof value === "string" && names.includes(value)) return null
    const near = typeof value === "string" ? suggestion(value, names) : ""
    return `${path} is ${shown(value)}${near || `; give one of ${names.join(", ")}`}`
  }

/** The first check that finds nothing wrong is enough; what the last one says is told. */
export const either =
  (...checks: ReadonlyArray<OptionCheck>): OptionCheck =>
  (value, path) => {
    const problems = checks.map((one) => one(value, path))
    return problems.includes(null) ? null : (problems.at(-1) ?? null)
  }

/** A list of such things, of at least so many. */
export const listOf =
  (one: OptionCheck, least = 0): OptionCheck =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is ${shown(value)}; give a list`
    if (value.length < least) return `${path} has ${value.length} entries; give at least ${least}`
    for (const [index, entry] of value.entries()) {
      const problem = one(entry, `${path}[${index}]`)
      if (problem !== null) return problem
    }
    return null
  }

/** An object with such things under any names. */
export const recordOf =
  (one: OptionCheck): OptionCheck =>
  (value, path) => {
    if (!isRecord(value)) return `${path} is ${shown(value)}; give an object`
    for (const [name, entry] of Object.entries(value)) {
      const problem = one(entry, path === "" ? name : `${path}.${name}`)
      if (problem !== null) return problem
    }
    return null
  }

/** Checks by the names of members. */
export type OptionChecks = Readonly<Record<string, OptionCheck>>

/** The members of members that are objects: where a name belongs that is given one level too high. */
type MembersOf = Readonly<Record<string, OptionChecks>>

/** An object with these members and no others; what is undefined counts as left out. */
export const members =
  (checks: OptionChecks, inner: MembersOf = {}): OptionCheck =>
  (value, path) => {
    if (!isRecord(value)) {
      const names = Object.keys(checks).join(", ")
      return path === ""
        ? `the options are ${shown(value)}; give an object`
        : `${path} is ${shown(value)}; give an object with ${names}`
    }
    for (const [name, entry] of Object.entries(value)) {
      const one = Object.hasOwn(checks, name) ? checks[name] : undefined
      if (one === undefined) return unknownMember(name, { path, names: Object.keys(checks), inner })
      const problem = entry === undefined ? null : one(entry, path === "" ? name : `${path}.${name}`)
      if (problem !== null) return problem
    }
    return null
  }

/** An object that may have members beside these, which it has to have. */
export const having =
  (checks: OptionChecks): OptionCheck =>
  (value, path) => {
    if (!isRecord(value)) return `${path} is ${shown(value)}; give an object`
    for (const [name, one] of Object.entries(checks)) {
      const problem = one(value[name], `${path}.${name}`)
      if (problem !== null) return problem
    }
    return null
  }

/**
 * An object with these members, which it has to have, and those, which it may have. One that is made by a class may have others,
 * for itself, but no misspelt one.
 */
export const madeOf =
  ({ needs, may = {} }: { readonly needs: OptionChecks; readonly may?: OptionChecks }): OptionCheck =>
  (value, path) => {
    if (!isRecord(value)) return `${path} is ${shown(value)}; give an object`
    const names = [...Object.keys(needs), ...Object.keys(may)]
    for (const name of Object.keys(value)) {
      if (!names.includes(name) && (isPlain(value) || suggestion(name, names) !== ""))
        return unknownMember(name, { path, names })
    }
    const given = Object.entries(may).filter(([name]) => value[name] !== undefined)
    return having({ ...needs, ...Object.fromEntries(given) })(value, path)
  }

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** What is said of a name that is none of these. */
export const unknownMember = (
  name: string,
  {
    path,
    names,
    inner = {}
  }: { readonly path: string; readonly names: ReadonlyArray<string>; readonly inner?: MembersOf }
): string => {
  const what =
    path === "" || path === "options"
      ? `there is no option ${JSON.stringify(name)}`
      : `${path} has no ${JSON.stringify(name)}`
  const [outer] = Object.entries(inner).find(([, checks]) => Object.hasOwn(checks, name)) ?? []
  if (outer !== undefined) return `${what}; did you mean "${outer}.${name}"?`
  return `${what}${suggestion(name, names) || `; there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`}`
}
