import { InvalidOption } from "./errors.ts"
import { describe } from "./json.ts"

/** Milliseconds, or a text such as `"60 seconds"`, `"15 s"`, `"2 minutes"`, `"250 ms"`. */
export type Duration = number | string

const unitMs: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["millisecond", 1],
  ["s", 1_000],
  ["second", 1_000],
  ["m", 60_000],
  ["min", 60_000],
  ["minute", 60_000],
  ["h", 3_600_000],
  ["hour", 3_600_000]
])

/**
 * A duration in milliseconds.
 *
 * **Fails** with `InvalidOption` when it is negative or not understood
 *
 * @since 0.1.0
 * @category encoding
 */
export const durationMs = (duration: Duration): number => {
  const [, amount = "", unit = ""] = /^([\d.]+)\s*([a-z]+)$/.exec(String(duration)) ?? []
  const factor = unitMs.get(unit) ?? unitMs.get(unit.replace(/s$/, ""))
  const ms = typeof duration === "number" ? duration : Number(amount) * (factor ?? Number.NaN)
  if (Number.isFinite(ms) && ms >= 0) return ms
  // As JSON, NaN and infinity would be `null`.
  const given = typeof duration === "number" ? String(duration) : describe(duration)
  throw new InvalidOption(
    `${given} is no duration; use milliseconds or a text such as "60 seconds", "250 ms", "2 minutes"`
  )
}
