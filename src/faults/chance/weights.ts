import { InvalidOption } from "../../domain/errors.ts"
import { type FaultName, faultNames, isFaultName } from "../../domain/fault-names.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { suggestion } from "../../domain/spelling.ts"

/**
 * How often each fault is chosen, relative to the others. The order is part of it: another order gives other choices.
 *
 * **Source** fault-server.md, section 5.4
 *
 * @since 0.1.0
 * @category models
 */
export type FaultWeights = ReadonlyArray<readonly [name: FaultName, weight: number]>

/**
 * The same as users of the library write it; the order in which the members were added counts.
 *
 * @since 0.1.0
 * @category models
 */
export type RandomWeights = Readonly<Partial<Record<FaultName, number>>>

/**
 * The weights of the `stress` profile, used when none are given. They are chosen for coverage and say nothing about how
 * often real providers fail. `stall` is among them: give the client under test a short idle timeout.
 *
 * **Source** fault-server.md, section 5.3
 *
 * @since 0.1.0
 * @category faults
 */
export const defaultRandomWeights: RandomWeights = Object.freeze({
  success: 48,
  slow_success: 10,
  max_tokens: 2,
  connection_reset: 5,
  stream_disconnect: 5,
  partial_disconnect: 10,
  empty: 5,
  stall: 2,
  rate_limit: 5,
  server_error: 4,
  service_unavailable: 2,
  partial_eof: 1,
  malformed_json: 1
})

/**
 * Weights from an object, in the order of its members; zero weights are dropped.
 *
 * **Fails** with `InvalidOption`, naming `option`
 * **Source** fault-server.md, section 5.4
 *
 * @since 0.1.0
 * @category constructors
 */
export const readWeights = (value: unknown, option = "randomWeights"): FaultWeights => {
  if (isRecord(value)) return checkWeights(Object.entries(value), option)
  throw new InvalidOption(`${option} is ${describe(value)}; give an object such as { success: 3, rate_limit: 1 }`)
}

/**
 * Weights from a text `name=weight,...`, in its order; zero weights are dropped.
 *
 * **Fails** with `InvalidOption`, naming `option`
 * **Source** fault-server.md, sections 4.3 and 5.4
 *
 * @since 0.1.0
 * @category constructors
 */
export const parseWeights = (text: string, option = "--random-weights"): FaultWeights =>
  checkWeights(splitWeights(text, option), option)

/**
 * The first half of `parseWeights`: the form of the text and its numbers, whatever the names.
 *
 * **Fails** with `InvalidOption`: an entry that is not `name=weight`, a weight that is no decimal number
 * **Source** fault-server.md, section 4.3 (order of detection)
 *
 * @since 0.1.0
 * @category constructors
 */
export const splitWeights = (
  text: string,
  option = "--random-weights"
): ReadonlyArray<readonly [name: string, weight: number]> =>
  text.split(",").map((entry) => {
    const [name = "", number = "", ...rest] = entry.split("=")
    if (name === "" || number === "" || rest.length > 0) {
      throw new InvalidOption(`${option}: ${describe(entry)} is not of the form behavior=weight, as in success=3`)
    }
    const weight = decimal.test(number) ? Number(number) : Number.NaN
    if (!Number.isFinite(weight)) throw notFinite(option, name, describe(number))
    return [name, weight]
  })

/** Digits with an optional fraction and exponent: no blank, no `0x10`, no `Infinity`. */
const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * The second half of both readers: concrete names, each once, with weights that can be used. Zero weights are dropped.
 *
 * **Fails** with `InvalidOption`, naming `option` and behaviour
 * **Source** fault-server.md, section 5.4
 *
 * @since 0.1.0
 * @category guards
 */
export const checkWeights = (
  entries: ReadonlyArray<readonly [name: unknown, weight: unknown]>,
  option = "randomWeights"
): FaultWeights => {
  const seen = new Set<FaultName>()
  const positive: Array<readonly [FaultName, number]> = []
  for (const [name, weight] of entries) {
    if (!isFaultName(name)) {
      const meant = suggestion(String(name), faultNames) || '; name one, for example "success"'
      throw new InvalidOption(`${option}: ${describe(name)} is no concrete behavior${meant}`)
    }
    if (seen.has(name)) throw new InvalidOption(`${option} has a duplicate: give ${name} once`)
    seen.add(name)
    if (typeof weight !== "number" || !Number.isFinite(weight)) throw notFinite(option, name, spell(weight))
    if (weight < 0) {
      throw new InvalidOption(`${option}: the weight of ${name} is ${weight}; give a non-negative number, 0 for never`)
    }
    if (weight > 0) positive.push([name, weight])
  }
  if (positive.length === 0) throw new InvalidOption(`${option} needs at least one positive weight`)
  const sum = positive.reduce((total, [, weight]) => total + weight, 0)
  if (!Number.isFinite(sum)) {
    throw new InvalidOption(`${option}: the sum of the weights is no finite number; divide them all by the same number`)
  }
  return positive
}

const notFinite = (option: string, name: string, weight: string): InvalidOption =>
  new InvalidOption(`${option}: the weight of ${name} is ${weight}; give a finite number`)

/** JSON would call NaN and the infinities `null`. */
const spell = (weight: unknown): string => (typeof weight === "number" ? String(weight) : describe(weight))
