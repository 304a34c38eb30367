import { describe, isRecord } from "./json.ts"
import { suggestion } from "./spelling.ts"

/** Reads a value that stands at a place, as in `binary.env[0]`; fails with `FieldRefused`. */
export type Read<A> = (value: unknown, at: string) => A

/** What is wrong with a value at a place; who reads a whole document makes an error of its own of it. */
export class FieldRefused extends Error {
  readonly at: string
  readonly problem: string
  constructor(at: string, problem: string) {
    super(`\`${at}\` ${problem}`)
    this.name = "FieldRefused"
    this.at = at
    this.problem = problem
  }
}

export const refuse = (at: string, problem: string): never => {
  throw new FieldRefused(at, problem)
}

/**
 * Reads a document whose name for messages is `what`, as in `profile`.
 *
 * **Fails** with what `invalid` makes of a message and the place it is about
 */
export const readWhole = <A>(
  read: (value: unknown) => A,
  what: string,
  invalid: (message: string, field: string) => Error
): ((value: unknown) => A) => {
  return (value) => {
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof FieldRefused)) throw error
      const { at, problem } = error
      throw invalid(at === "" ? `the ${what} ${problem}` : `\`${at}\` of the ${what} ${problem}`, at)
    }
  }
}

/** The place of a member; names that would not read well are quoted. */
export const placeOf = (at: string, name: string): string => {
  const step = /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
  return at === "" ? step : `${at}.${step}`
}

/**
 * Opens an object whose members are known by name.
 *
 * **Fails** when it is no object, or has a member of another name, with the name that was probably meant
 */
export const openObject = <Name extends string>(value: unknown, at: string, names: ReadonlyArray<Name>) => {
  if (value === undefined) return refuse(at, `is missing; it is an object with ${names.join(", ")}`)
  if (!isRecord(value)) return refuse(at, `is ${describe(value)}; use an object with ${names.join(", ")}`)
  for (const name of Object.keys(value)) {
    if (names.some((known) => known === name)) continue
    const help = suggestion(name, names) || `; it may have ${names.join(", ")}`
    refuse(placeOf(at, name), `is not known${help}`)
  }
  return <A>(name: Name, read: Read<A>): A =>
    read(Object.hasOwn(value, name) ? value[name] : undefined, placeOf(at, name))
}

/** What is missing has this value. */
export const orElse =
  <A>(read: Read<A>, otherwise: A): Read<A> =>
  (value, at) =>
    value === undefined ? otherwise : read(value, at)

/** `null` where nothing is said, or `null`. */
export const orNull =
  <A>(read: Read<A>): Read<A | null> =>
  (value, at) =>
    value === undefined || value === null ? null : read(value, at)

export const readText: Read<string> = (value, at) => {
  if (value === undefined) return refuse(at, "is missing; it is a text")
  if (typeof value !== "string") return refuse(at, `is ${describe(value)}; use a text`)
  // The operating system takes no such text, neither as an argument nor in an environment.
  return value.includes("\0") ? refuse(at, "holds a NUL, which no program can be given") : value
}

export const readWord: Read<string> = (value, at) => {
  const text = readText(value, at)
  return text.trim() === "" ? refuse(at, "is empty") : text
}

export const readFlag: Read<boolean> = (value, at) =>
  typeof value === "boolean" ? value : refuse(at, `is ${describe(value)}; use true or false`)

export const readInteger =
  (limits: { readonly least: number; readonly most: number }): Read<number> =>
  (value, at) =>
    typeof value === "number" && Number.isInteger(value) && value >= limits.least && value <= limits.most
      ? value
      : refuse(at, `is ${describe(value)}; use a whole number from ${limits.least} to ${limits.most}`)

export const readOneOf =
  <const A extends string>(choices: ReadonlyArray<A>): Read<A> =>
  (value, at) => {
    const found = choices.find((choice) => choice === value)
    if (found !== undefined) return found
    const help = typeof value === "string" ? suggestion(value, choices) : ""
    return refuse(at, `is ${describe(value)}${help || `; use one of ${choices.join(", ")}`}`)
  }

/** A number from 0 to 1. */
export const readShare: Read<number> = (value, at) =>
  typeof value === "number" && value >= 0 && value <= 1 ? value : refuse(at, `is ${describe(value)}; use 0 to 1`)

export const readList =
  <A>(read: Read<A>, { least = 0, most = Number.MAX_SAFE_INTEGER } = {}): Read<ReadonlyArray<A>> =>
  (value, at) => {
    if (!Array.isArray(value)) return refuse(at, `is ${describe(value)}; use a list`)
    if (value.length < least || value.length > most)
      return refuse(at, `has ${value.length} entries; it may have ${least} to ${most}`)
    return value.map((item, index) => read(item, `${at}[${index}]`))
  }
