/**
 * A text is no trace file, or no longer one.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidTrace extends Error {
  readonly _tag = "InvalidTrace"
  /** From 1. */
  readonly line: number
  readonly reason: string
  constructor(line: number, reason: string) {
    super(`no trace: line ${line}: ${reason}`)
    this.name = "InvalidTrace"
    this.line = line
    this.reason = reason
  }
}

/**
 * Reads the members of one line, and says of what is not as it should be which member of which line it is.
 *
 * **Fails** with `InvalidTrace`
 */
export interface FieldReader {
  names(): ReadonlyArray<string>
  has(name: string): boolean
  raw(name: string): unknown
  text(name: string): string
  textOrNull(name: string): string | null
  integer(name: string, min: number): number
  integerOrNull(name: string, min: number): number | null
  /** A finite number of at least 0. */
  amount(name: string): number
  oneOf<const T extends string>(name: string, allowed: ReadonlyArray<T>): T
  list<T>(name: string, read: (value: unknown) => T | undefined, wanted: string): ReadonlyArray<T>
  inside(name: string): FieldReader
  fail(name: string, wanted: string): never
}

/** @since 0.1.0 @category constructors */
export const readFields = (line: number, value: unknown, path = ""): FieldReader => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidTrace(line, `${path === "" ? "it" : `"${path}"`} must be an object, and is ${shown(value)}`)
  const members = new Map<string, unknown>(Object.entries(value))
  const nameOf = (name: string): string => (path === "" ? name : `${path}.${name}`)
  const fail = (name: string, wanted: string): never => {
    const is = members.has(name) ? `is ${shown(members.get(name))}` : "is missing"
    throw new InvalidTrace(line, `"${nameOf(name)}" must be ${wanted}, and ${is}`)
  }
  const text = (name: string): string => {
    const found = members.get(name)
    return typeof found === "string" ? found : fail(name, "a text")
  }
  const integer = (name: string, min: number): number => {
    const found = members.get(name)
    return isInteger(found) && found >= min ? found : fail(name, `an integer of at least ${min}`)
  }
  return {
    names: () => [...members.keys()],
    has: (name) => members.has(name),
    raw: (name) => members.get(name),
    text,
    textOrNull: (name) => (members.get(name) === null ? null : text(name)),
    integer,
    integerOrNull: (name, min) => (members.get(name) === null ? null : integer(name, min)),
    amount(name) {
      const found = members.get(name)
      return typeof found === "number" && found >= 0 ? found : fail(name, "a number of at least 0")
    },
    oneOf(name, allowed) {
      const found = members.get(name)
      return allowed.find((one) => one === found) ?? fail(name, `one of ${allowed.join(", ")}`)
    },
    list(name, read, wanted) {
      const found = members.get(name)
      if (!Array.isArray(found)) return fail(name, `a list of ${wanted}`)
      return found.map((one) => read(one) ?? fail(name, `a list of ${wanted}`))
    },
    inside: (name) => readFields(line, members.get(name), nameOf(name)),
    fail
  }
}

export const isInteger = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value)

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}
