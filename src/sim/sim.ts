import type { Choice } from "../kernel/choice.ts"
import type { SegmentOptions } from "./byte-pair.ts"
import type { Allowance } from "./fence-run.ts"
import type { LinkOptions } from "./link-conditions.ts"
import type { RunLimits } from "./run-loop.ts"
import type { ClientTimeouts } from "./transport-client.ts"
import type { SimPairs } from "./transport-pairs.ts"

/** What a simulated network is like, for messages and for bytes, and how patient clients are. */
export interface SimNetworkOptions extends LinkOptions, SegmentOptions {
  readonly timeouts?: ClientTimeouts
}

/**
 * What a simulated world is like: its network, how far a run may go, what real things it may touch.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimOptions {
  readonly network?: SimNetworkOptions
  readonly limits?: RunLimits
  /** Real things that a run may touch; none by default. */
  readonly allow?: ReadonlyArray<Allowance>
  /** Events that are due within so many milliseconds of the first may happen before it. Default 0. */
  readonly windowMs?: number
  /** Whether anything that is planned may happen next, as on an arbitrarily slow network. */
  readonly isUntimed?: boolean
}

/**
 * The world of one run. Timers, dates, chance and ids of everything that runs in it are simulated; `now` is in milliseconds
 * of virtual time.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface Sim extends SimPairs {
  /** Ids and random bytes follow from it. */
  readonly seed: number
  now(): number
  /** Rejects with `ForeignRun` when the run is over. */
  sleep(ms: number): Promise<void>
  /** Draws of the test's own, each recorded, replayed and shrunk; 0 is the calm answer. Each client (`as`) has draws of its own. */
  readonly choice: Choice
  /** A `fetch` for the client of this name. */
  fetch(client?: string): typeof fetch
  /** A dispatcher for the client of this name, for code that uses undici 7 itself. */
  dispatcher<Dispatcher>(client?: string): Promise<Dispatcher>
  /** A connector for an `Agent` of undici: real parsers over simulated sockets, to servers that are started `over: "bytes"`. */
  connector<Connector>(client?: string): Connector
  /** Lets a client have timers, sleeps and draws of its own. */
  as<A>(client: string, body: () => A): A
  /** Adds a line to the trace of the run, and to its hash. */
  note(text: string): void
  /** Says that a situation was reached; some run of a campaign must reach each that is named. */
  sometimes(goal: string, holds?: boolean): void
  /** Says what was reached; runs that reach something new are tried further. */
  cover(tuple: string): void
  /**
   * Says in what state the program is, for exhaustive searches, which then search no state twice: everything that what comes next
   * depends on, such as variables, how far each client is, and what servers hold. Time, timers under way and what the network holds count by themselves, if it is called before there is traffic. Of
   * two states that are told alike the search tries one alone.
   */
  stateOf(state: () => string): void
  /**
   * Called when the program has ended, newest first, also when it failed or hangs. An error fails a run that had not failed; the
   * others are called all the same.
   */
  onEnd(close: () => Promise<void>): void
  /** Asked who waits for what, a line each, when the program hangs or does not end. */
  onHang(waiting: () => ReadonlyArray<string>): void
}
