/** Somebody waits for somebody, or for something that has a name. */
export interface Wait {
  readonly who: string
  readonly waitsFor: string
}

/**
 * Who waits for whom, in words: each line follows one wait to its end, which is a cycle or something that waits for nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitsExplained {
  readonly lines: ReadonlyArray<string>
  /** Each cycle once, beginning at the waiter that was named first. */
  readonly cycles: ReadonlyArray<ReadonlyArray<string>>
  /** The waits at the end of the lines: those whose `waitsFor` waits for nothing. */
  readonly roots: ReadonlyArray<Wait>
}

const linesMax = 20

/** @since 0.1.0 @category constructors */
export const explainWaits = (waits: ReadonlyArray<Wait>): WaitsExplained => {
  // Of several waits of one name the first is followed; all count as roots of their own.
  const next = new Map<string, string>()
  for (const { who, waitsFor } of waits) if (!next.has(who)) next.set(who, waitsFor)
  const cycles = cyclesOf(next)
  const waitedFor = new Set(waits.map(({ waitsFor }) => waitsFor))
  const onCycle = new Set(cycles.flat())
  const tails = waits.filter(({ who }) => !waitedFor.has(who) && !onCycle.has(who))
  const lines = [
    ...cycles.map((cycle) => `${sentence([...cycle, cycle[0] ?? ""])}: a cycle`),
    ...tails.map(({ who, waitsFor }) => lineFrom([who, waitsFor], next))
  ]
  const left = lines.length - linesMax
  return {
    lines: left > 0 ? [...lines.slice(0, linesMax), `and ${left} more`] : lines,
    cycles,
    roots: waits.filter(({ waitsFor }) => !next.has(waitsFor))
  }
}

const cyclesOf = (next: ReadonlyMap<string, string>): ReadonlyArray<ReadonlyArray<string>> => {
  const cycles: Array<ReadonlyArray<string>> = []
  const walked = new Set<string>()
  for (const start of next.keys()) {
    const road: Array<string> = []
    let at: string | undefined = start
    while (at !== undefined && !walked.has(at)) {
      walked.add(at)
      road.push(at)
      at = next.get(at)
    }
    const from = at === undefined ? -1 : road.indexOf(at)
    if (from >= 0) cycles.push(road.slice(from))
  }
  return cycles
}

const lineFrom = (names: ReadonlyArray<string>, next: ReadonlyMap<string, string>): string => {
  const road = [...names]
  for (let at = next.get(road.at(-1) ?? ""); at !== undefined; at = next.get(at)) {
    const isBack = road.includes(at)
    road.push(at)
    if (isBack) return sentence(road)
  }
  return sentence(road)
}

const sentence = ([first, second, ...rest]: ReadonlyArray<string>): string =>
  [`${first} waits for ${second}`, ...rest.map((name) => `which waits for ${name}`)].join(", ")
