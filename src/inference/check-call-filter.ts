import { inferenceEndpoints } from "../domain/endpoint.ts"
import { InvalidOption } from "../domain/errors.ts"
import { describe, isRecord } from "../domain/json.ts"
import { suggestion } from "../domain/spelling.ts"
import type { CallFilter } from "./call-filter.ts"

/** What one member of a filter may be. */
interface Member {
  readonly allowed: string
  readonly isAllowed: (value: unknown) => boolean
  /** Where it is one of some words. */
  readonly words?: ReadonlyArray<string>
}

const oneOf = (words: ReadonlyArray<string>): Member => ({
  allowed: `one of ${words.map((word) => describe(word)).join(", ")}`,
  isAllowed: (value) => typeof value === "string" && words.includes(value),
  words
})

const wholeFrom = (least: number): Member => ({
  allowed: `a whole number from ${least}`,
  isAllowed: (value) => typeof value === "number" && Number.isInteger(value) && value >= least
})

const rules: Readonly<Record<keyof CallFilter, Member>> = {
  endpoint: oneOf(inferenceEndpoints),
  kind: oneOf(["foreground", "auxiliary"]),
  session: { allowed: "a text", isAllowed: (value) => typeof value === "string" },
  turn: wholeFrom(0),
  attempt: wholeFrom(1),
  where: {
    allowed: "a function that answers true or false at once",
    isAllowed: (value) => typeof value === "function"
  },
  signal: {
    allowed: "the signal of an AbortController",
    isAllowed: (value) => isRecord(value) && "aborted" in value && "addEventListener" in value
  }
}

const members: ReadonlyMap<string, Member> = new Map(Object.entries(rules))
const names = [...members.keys()]

/**
 * Checks a filter where it is given.
 *
 * **Takes** the words of the call it was given to, and the filter
 * **Gives** a copy that later edits do not reach
 * **Fails** with `InvalidOption`, naming the member and what is allowed
 *
 * @since 0.1.0
 * @category guards
 */
export const checkedFilter = (words: string, filter: CallFilter): CallFilter => {
  if (!isRecord(filter)) {
    throw new InvalidOption(
      `${words}: the filter is ${describe(filter)}; use { ${names.join(", ")} }, or some of these`
    )
  }
  for (const [name, value] of Object.entries(filter)) {
    const member = members.get(name)
    if (member === undefined) {
      throw new InvalidOption(`${words}: a filter has ${names.join(", ")}, and no ${name}${suggestion(name, names)}`)
    }
    if (value === undefined || member.isAllowed(value)) continue
    const meant = typeof value === "string" ? suggestion(value, member.words ?? []) : ""
    throw new InvalidOption(`${words}: ${name} is ${describe(value)}; use ${member.allowed}${meant}`)
  }
  return { ...filter }
}
