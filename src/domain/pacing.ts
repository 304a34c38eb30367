import { delayMsMax } from "./durations.ts"
import { InvalidScript } from "./errors.ts"
import { describe, isRecord } from "./json.ts"
import { suggestion } from "./spelling.ts"

/**
 * How one answer is paced, over the server's chunk delay: a pause before each event, from `delayMs` or `tokensPerSecond`
 * (an event is a token), another one before the first, and jitter up to `jitterMs` to either side that follows from
 * `seed` alone. An answer that is no stream waits once, before its head: `firstTokenMs`, or else `delayMs`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pacing {
  readonly delayMs?: number
  readonly tokensPerSecond?: number
  readonly firstTokenMs?: number
  readonly jitterMs?: number
  /** From 0 to 2^32 - 1; 0 by default. */
  readonly seed?: number
}

/**
 * Checks the pacing of a scripted response.
 *
 * **Fails** with `InvalidScript`, naming the member and what is allowed
 *
 * @since 0.1.0
 * @category guards
 */
export const checkPacing = (pacing: Pacing): void => {
  const given: unknown = pacing
  if (!isRecord(given))
    throw new InvalidScript(`pacing is ${describe(pacing)}; use an object, for example { delayMs: 20 }`)
  for (const name of Object.keys(given)) {
    if (members.includes(name)) continue
    throw new InvalidScript(`pacing has no member \`${name}\`; use ${members.join(", ")}${suggestion(name, members)}`)
  }
  const { delayMs, tokensPerSecond, firstTokenMs, jitterMs, seed } = pacing
  checkRange("delayMs", delayMs, { least: 0, most: delayMsMax })
  checkRange("firstTokenMs", firstTokenMs, { least: 0, most: delayMsMax })
  checkRange("jitterMs", jitterMs, { least: 0, most: delayMsMax })
  checkRange("tokensPerSecond", tokensPerSecond, { least: 0.001, most: 1_000_000 })
  checkRange("seed", seed, { least: 0, most: 2 ** 32 - 1 })
  if (delayMs !== undefined && tokensPerSecond !== undefined) {
    throw new InvalidScript("pacing has delayMs and tokensPerSecond; give one of them")
  }
}

const members = ["delayMs", "tokensPerSecond", "firstTokenMs", "jitterMs", "seed"]

const checkRange = (
  name: string,
  value: number | undefined,
  { least, most }: { readonly least: number; readonly most: number }
): void => {
  if (value === undefined || (typeof value === "number" && value >= least && value <= most)) return
  throw new InvalidScript(`pacing ${name} is ${describe(value)}; use a number from ${least} to ${most}`)
}
