import { VerificationFailed } from "../domain/errors.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import type { LaneChance } from "./chance/lane-chance.ts"
import { defaultLane } from "./chance/lane-seed.ts"
import type { LaneState } from "./fault-server-api.ts"
import { type Lane, laneUse, type ReadyScript, startLane, type Taken, takeEntry } from "./lane.ts"
import { type LaneKey, shortLaneName } from "./lane-key.ts"

/** So many lanes are remembered, the ones that were used last; a forgotten one begins anew. */
export const lanesMax = 65_536

/** Where the one cursor stands that all callers share: no key can be this, so a lane that is named `default` is another. */
const sharedPlace = "\u0000"

/** What lanes are made from. */
export interface LaneScripts {
  /** The script of the server; `null` when every lane has its own. */
  readonly base: ReadyScript | null
  /** By key or pattern. */
  readonly named: ReadonlyMap<string, ReadyScript>
  readonly perLane: boolean
  readonly isStrict: boolean
  /** What the lane of a declared key is called, where no secret may stand. */
  readonly nameOf: (key: string) => string
}

/**
 * All lanes of a server.
 *
 * **Source** fault-server.md, sections 9.1.2 to 9.1.4 and 9.1.8
 *
 * @since 0.1.0
 * @category lanes
 */
export interface Lanes {
  /** The lane of a key, `undefined` when it has no script. A lane begins when it is first asked for. */
  find(key: LaneKey | undefined): Lane | undefined
  take(lane: Lane): Taken
  all(): ReadonlyArray<LaneState>
  assertDrained(): void
}

/** @since 0.1.0 @category constructors */
export const makeLanes = (
  supervisor: Supervisor,
  scripts: LaneScripts,
  chanceOf: (lane: LaneKey, ready: ReadyScript) => LaneChance
): Lanes => {
  const lanes = new Map<string, Lane>()
  const own: LaneKey = { key: defaultLane, name: defaultLane }

  const scriptOf = (key: string): { readonly ready: ReadyScript; readonly isOwn: boolean } | undefined => {
    const ready = scripts.named.get(key) ?? patternOf(scripts.named, key)
    if (ready !== undefined) return { ready, isOwn: true }
    // With strict lanes only the callers without a key get the script of the server.
    if (scripts.base === null || (scripts.isStrict && key !== defaultLane)) return undefined
    return { ready: scripts.base, isOwn: scripts.perLane }
  }

  const find = (asked: LaneKey | undefined): Lane | undefined => {
    const key = asked ?? own
    const found = scriptOf(key.key)
    if (found === undefined) return undefined
    const lane = found.isOwn ? key : own
    const place = found.isOwn ? key.key : sharedPlace
    const earlier = lanes.get(place)
    if (earlier !== undefined) {
      // The newest stand at the end, so that the one to forget stands first.
      lanes.delete(place)
      lanes.set(place, earlier)
      return earlier
    }
    const started = startLane(supervisor, {
      name: lane.name,
      key: found.isOwn ? key.key : null,
      ready: found.ready,
      chance: chanceOf(lane, found.ready)
    })
    lanes.set(place, started)
    const [oldest] = lanes.size > lanesMax ? lanes.keys() : []
    if (oldest !== undefined) lanes.delete(oldest)
    return started
  }

  const all = (): ReadonlyArray<LaneState> => [...lanes.values()].map(laneUse)

  return {
    find,
    take: (lane) => takeEntry(supervisor, lane),
    all,
    assertDrained() {
      const unused = all()
        .filter(({ used, entries }) => used < entries)
        .map(({ lane, used, entries }) => `lane \`${shortLaneName(lane)}\` used ${used} of ${entries} entries`)
      const absent = [...scripts.named.keys()]
        .filter((key) => !key.includes("*") && !lanes.has(key))
        .map((key) => `lane \`${shortLaneName(scripts.nameOf(key))}\` never appeared`)
      const untouched =
        lanes.size === 0 && scripts.base !== null
          ? [`lane \`${defaultLane}\` used 0 of ${scripts.base.script.entries.length} entries`]
          : []
      const leftovers = [...unused, ...absent, ...untouched]
      if (leftovers.length > 0) throw new VerificationFailed(leftovers)
    }
  }
}

/** The first pattern that fits, `*` alone being the last resort. */
const patternOf = (named: ReadonlyMap<string, ReadyScript>, key: string): ReadyScript | undefined => {
  for (const [pattern, ready] of named) {
    if (pattern !== "*" && pattern.includes("*") && fits(pattern, key)) return ready
  }
  return named.get("*")
}

/** Compared piece by piece, so that no pattern takes long. */
const fits = (pattern: string, key: string): boolean => {
  const pieces = pattern.split("*")
  const first = pieces[0] ?? ""
  const last = pieces.at(-1) ?? ""
  if (!key.startsWith(first) || !key.endsWith(last) || key.length < first.length + last.length) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = key.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= key.length - last.length
}
