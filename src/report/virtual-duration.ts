const units = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 }
]

/**
 * A duration of virtual time for people: `0.5 ms`, `1.25 s`, `2 min 3 s`, `6 d 10 h`. Two units at most, and nothing that
 * depends on the place.
 *
 * @since 0.1.0
 * @category encoding
 */
export const sayDuration = (ms: number): string => {
  if (ms < 1_000) return `${rounded(ms)} ms`
  if (ms < 60_000) return `${rounded(ms / 1_000)} s`
  const at = units.findIndex((unit) => ms >= unit.ms)
  const { name, ms: unitMs } = units[at] ?? { name: "min", ms: 60_000 }
  const count = Math.floor(ms / unitMs)
  const rest = ms - count * unitMs
  const next = units[at + 1] ?? { name: "s", ms: 1_000 }
  const restText = `${next.name === "s" ? rounded(rest / next.ms) : Math.floor(rest / next.ms)}`
  return restText === "0" ? `${count} ${name}` : `${count} ${name} ${restText} ${next.name}`
}

/** At most three digits behind the point. */
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
