import { InvalidOption } from "../domain/errors.ts"
import type { Choice } from "../kernel/choice.ts"

/**
 * How often a piece of traffic goes wrong: a rate of 0 never, 1/50 one time in fifty, at most 1/2; the nearest 1/n is
 * taken. Each is a draw of its own, of two answers; the calm one is that nothing happens.
 *
 * * `rst` both ends see a reset in the place of what was sent
 * * `cut` the reader sees a clean end in its place, and nothing after it
 * * `stall` this direction is held up for a drawn time, or for ever; the other goes on
 * * `drop` the connection is lost: neither end ever hears anything again
 * * `refuse` a connect is refused
 * * `lostConnect` a connect is never answered
 *
 * @since 0.1.0
 * @category simulation
 */
export interface LinkFaults {
  readonly rst?: number
  readonly cut?: number
  readonly stall?: number
  readonly drop?: number
  readonly refuse?: number
  readonly lostConnect?: number
}

/** The name of a fault of the network. */
export type LinkFault = keyof LinkFaults

/**
 * What a simulated network is like. In every list the first entry is the calm one.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface LinkOptions {
  /** How late a piece arrives, in milliseconds; drawn for each. Default: 1, then from 0.5 to 400. */
  readonly latenciesMs?: ReadonlyArray<number>
  /** What a pair of client and server always has on top, in milliseconds; drawn once. Default: 0, then up to 80. */
  readonly distancesMs?: ReadonlyArray<number>
  readonly faults?: LinkFaults
  /** Each run draws which of the faults it has at all. Default false: all of them. */
  readonly isSwarm?: boolean
  /** How long a stall may last, in milliseconds; infinity is for ever. Default: 1 s, 10 s, 60 s, for ever. */
  readonly stallsMs?: ReadonlyArray<number>
  /** Bytes on the way or unread, at which a sender is told to wait. Default 65,536. */
  readonly windowBytes?: number
}

/** What the choice source says about the traffic of one client. Every label is `net/NAME/...`. */
export interface LinkConditions {
  readonly windowBytes: number
  /** How late the next piece arrives. */
  latencyMs(): number
  has(fault: LinkFault): boolean
  stallMs(): number
}

/** The conditions of a network. */
export interface NetConditions {
  /** Those between a client and a server; the distance of a pair is drawn once. */
  between(client: string, server: string): LinkConditions
  /** What was drawn once and holds for the rest of the run. */
  text(): string
}

/** Whether the networks of a world still have faults; what was lost by then stays lost. */
export interface Weather {
  isCalm: boolean
}

const latenciesDefault = [1, 1, 0.5, 1.5, 2, 3, 5, 8, 1, 2, 1, 4, 12, 20, 60, 400] as const
const distancesDefault = [0, 0, 0, 1, 5, 20, 80] as const
const stallsDefault = [1_000, 10_000, 60_000, Number.POSITIVE_INFINITY] as const
const windowDefault = 65_536

const faultNames: ReadonlyArray<LinkFault> = ["rst", "cut", "stall", "drop", "refuse", "lostConnect"]

/**
 * The conditions of a network, drawn from one choice source.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeConditions = (
  choice: Choice,
  options: LinkOptions & { readonly weather?: Weather | undefined } = {}
): NetConditions => {
  checkOptions(options)
  const latencies = options.latenciesMs ?? latenciesDefault
  const distances = options.distancesMs ?? distancesDefault
  const stalls = options.stallsMs ?? stallsDefault
  const odds = faultOdds(choice, options)
  const { weather = { isCalm: false } } = options
  const pairs = new Map<string, number>()

  const distance = (client: string, server: string): number => {
    const pair = `${client}>${server}`
    const known = pairs.get(pair)
    if (known !== undefined) return known
    const drawn = distances[choice.draw(distances.length, `net/${client}/distance`)] ?? 0
    pairs.set(pair, drawn)
    return drawn
  }

  return {
    between(client, server) {
      const ms = distance(client, server)
      // Made once: a label a draw would cost more than the draw.
      const labels = labelsOf(client)
      return {
        windowBytes: options.windowBytes ?? windowDefault,
        latencyMs: () => ms + (latencies[choice.draw(latencies.length, labels.latency)] ?? 0),
        has(fault) {
          const oneIn = odds[fault]
          return oneIn !== undefined && !weather.isCalm && choice.draw(2, labels[fault], oneIn - 1) === 1
        },
        stallMs: () => stalls[choice.draw(stalls.length, labels.stallMs)] ?? 0
      }
    },
    text: () => JSON.stringify([weather.isCalm, odds, [...pairs].sort()])
  }
}

const labelsOf = (client: string) =>
  ({
    latency: `net/${client}/latency`,
    stallMs: `net/${client}/stallMs`,
    rst: `net/${client}/rst`,
    cut: `net/${client}/cut`,
    stall: `net/${client}/stall`,
    drop: `net/${client}/drop`,
    refuse: `net/${client}/refuse`,
    lostConnect: `net/${client}/lostConnect`
  }) as const

/** One in how many, for the faults that this run has. */
const faultOdds = (
  choice: Choice,
  { faults = {}, isSwarm = false }: LinkOptions
): Readonly<Partial<Record<LinkFault, number>>> => {
  const odds: Partial<Record<LinkFault, number>> = {}
  for (const fault of faultNames) {
    const rate = faults[fault] ?? 0
    if (rate <= 0) continue
    if (isSwarm && choice.draw(2, `net/swarm/${fault}`) === 0) continue
    odds[fault] = Math.max(2, Math.round(1 / rate))
  }
  return odds
}

const checkOptions = (options: LinkOptions): void => {
  for (const [name, rate] of Object.entries(options.faults ?? {})) {
    if (!faultNames.some((known) => known === name)) {
      throw new InvalidOption(`faults.${name} is unknown; there are ${faultNames.join(", ")}`)
    }
    if (rate !== undefined && !(rate >= 0 && rate <= 0.5)) {
      throw new InvalidOption(`faults.${name} is ${rate}; give a rate from 0 to 0.5`)
    }
  }
  for (const name of ["latenciesMs", "distancesMs", "stallsMs"] as const) {
    const list = options[name]
    if (list !== undefined && (list.length === 0 || !list.every((ms) => ms >= 0))) {
      throw new InvalidOption(`${name} is [${list.join(", ")}]; give at least one number of milliseconds from 0`)
    }
  }
  const { windowBytes } = options
  if (windowBytes !== undefined && !(windowBytes >= 1)) {
    throw new InvalidOption(`windowBytes is ${windowBytes}; give at least 1`)
  }
}
