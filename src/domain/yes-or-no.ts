import { InvalidOption } from "./errors.ts"
import { describe, isRecord } from "./json.ts"

/**
 * What a predicate of a test gave, which must be true or false at once. Anything else would pass for one of them: a promise
 * for yes, a forgotten `return` for no.
 *
 * **Takes** the name of the predicate, and what it gave
 * **Fails** with `InvalidOption`; a promise that rejects is then no crash besides
 *
 * @since 0.1.0
 * @category guards
 */
export const yesOrNo = (name: string, given: unknown): boolean => {
  if (typeof given === "boolean") return given
  if (!isRecord(given) || typeof given["then"] !== "function")
    throw new InvalidOption(`${name} gave ${describe(given)}; it must answer true or false`)
  Promise.resolve(given).catch(() => {})
  throw new InvalidOption(`${name} gave a promise; it must answer true or false at once, so it cannot be async`)
}
