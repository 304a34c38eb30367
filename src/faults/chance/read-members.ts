import { InvalidOption } from "../../domain/errors.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { suggestion } from "../../domain/spelling.ts"

/**
 * Bounds of a number, both allowed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bounds {
  readonly least: number
  readonly most: number
}

/**
 * Reads an object that has no members but the known ones.
 *
 * **Fails** with `InvalidOption`, naming `path` and the unknown member; so do the other readers of this file
 *
 * @since 0.1.0
 * @category guards
 */
export const readObject = (
  value: unknown,
  path: string,
  known: ReadonlyArray<string>
): Readonly<Record<string, unknown>> => {
  if (!isRecord(value)) throw new InvalidOption(`${path} is ${spell(value)}; give an object with ${known.join(", ")}`)
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown === undefined) return value
  const meant = suggestion(unknown, known)
  throw new InvalidOption(`${path} has the unknown member ${describe(unknown)}${meant}; known are ${known.join(", ")}`)
}

/** @since 0.1.0 @category guards */
export const readList = (value: unknown, path: string): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  throw new InvalidOption(`${path} is ${spell(value)}; give a list`)
}

/** @since 0.1.0 @category guards */
export const readText = (value: unknown, path: string): string => {
  if (typeof value === "string" && value.trim() !== "") return value
  throw new InvalidOption(`${path} is ${spell(value)}; give a text that is not empty`)
}

/** @since 0.1.0 @category guards */
export const readBoolean = (value: unknown, path: string): boolean => {
  if (typeof value === "boolean") return value
  throw new InvalidOption(`${path} is ${spell(value)}; give true or false`)
}

/** @since 0.1.0 @category guards */
export const readWhole = (value: unknown, path: string, { least, most }: Bounds): number => {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value
  throw new InvalidOption(`${path} is ${spell(value)}; give an integer between ${least} and ${most}`)
}

/** @since 0.1.0 @category guards */
export const readNumber = (value: unknown, path: string, { least, most }: Bounds): number => {
  if (typeof value === "number" && value >= least && value <= most) return value
  throw new InvalidOption(`${path} is ${spell(value)}; give a number between ${least} and ${most}`)
}

/** @since 0.1.0 @category guards */
export const readWord = <const Word extends string>(value: unknown, path: string, words: ReadonlyArray<Word>): Word => {
  const word = words.find((known) => known === value)
  if (word !== undefined) return word
  throw new InvalidOption(`${path} is ${spell(value)}; give one of ${words.map((known) => `"${known}"`).join(", ")}`)
}

/** JSON would call NaN and the infinities `null`, and has no word for what is absent. */
const spell = (value: unknown): string => {
  if (value === undefined) return "missing"
  return typeof value === "number" ? String(value) : describe(value)
}
