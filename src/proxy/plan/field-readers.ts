import { InvalidOption } from "../../domain/errors.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { suggestion } from "../../domain/spelling.ts"

/** Reads a value that stands at a place, as in `rules[0].match`. */
export type Read<A> = (value: unknown, at: string) => A

/** Fails with `InvalidOption`, which names the place. */
export const refuse = (at: string, problem: string): never => {
  throw new InvalidOption(at === "" ? `the fault plan ${problem}` : `\`${at}\` of the fault plan ${problem}`)
}

/** Opens an object whose members are known by name. */
export const openObject = <Name extends string>(value: unknown, at: string, names: ReadonlyArray<Name>) => {
  if (!isRecord(value)) return refuse(at, `is ${describe(value)}; use an object with ${names.join(", ")}`)
  const placeOf = (name: string): string => (at === "" ? name : `${at}.${name}`)
  for (const name of Object.keys(value)) {
    if (names.some((known) => known === name)) continue
    refuse(placeOf(name), `is not known${suggestion(name, names) || `; it may have ${names.join(", ")}`}`)
  }
  return <A>(name: Name, read: Read<A>): A => read(Object.hasOwn(value, name) ? value[name] : undefined, placeOf(name))
}

export const orElse =
  <A>(read: Read<A>, otherwise: A): Read<A> =>
  (value, at) =>
    value === undefined ? otherwise : read(value, at)

export const orNull =
  <A>(read: Read<A>): Read<A | null> =>
  (value, at) =>
    value === undefined || value === null ? null : read(value, at)

export const readWord: Read<string> = (value, at) =>
  typeof value === "string" && value !== "" ? value : refuse(at, `is ${describe(value)}; use a text`)

export const readInteger =
  ({ least, most }: { readonly least: number; readonly most: number }): Read<number> =>
  (value, at) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? value
      : refuse(at, `is ${describe(value)}; use a whole number from ${least} to ${most}`)

export const readShare: Read<number> = (value, at) =>
  typeof value === "number" && value >= 0 && value <= 1 ? value : refuse(at, `is ${describe(value)}; use 0 to 1`)

export const readOneOf =
  <const A extends string>(choices: ReadonlyArray<A>): Read<A> =>
  (value, at) => {
    const found = choices.find((choice) => choice === value)
    if (found !== undefined) return found
    const help = typeof value === "string" ? suggestion(value, choices) : ""
    return refuse(at, `is ${describe(value)}${help || `; use one of ${choices.join(", ")}`}`)
  }

export const readList =
  <A>(read: Read<A>, { least, most }: { readonly least: number; readonly most: number }): Read<ReadonlyArray<A>> =>
  (value, at) => {
    if (!Array.isArray(value)) return refuse(at, `is ${describe(value)}; use a list`)
    if (value.length < least || value.length > most)
      return refuse(at, `has ${value.length} entries; it may have ${least} to ${most}`)
    return value.map((item, index) => read(item, `${at}[${index}]`))
  }
