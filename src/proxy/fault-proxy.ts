import type { StreamAddress, UpstreamAddress } from "../ports/stream-port.ts"
import type { Direction, FaultRule } from "./plan/fault-program.ts"
import type { DirectionSource, PlanSource, RuleSource } from "./plan/plan-source.ts"
import type { ProxyEvent } from "./proxy-event.ts"
import type { ProxyRecording } from "./proxy-recording.ts"

/**
 * What has gone through one direction of a connection. When it is closed, `received` is the sum of `dropped`, `severed`, `delivered` and
 * `discarded`.
 */
export interface DirectionReport {
  /** Frames whose last byte has come and that were taken in hand. */
  readonly received: number
  /** Copies of frames that were handed over completely. */
  readonly forwarded: number
  /** Frames of which every copy was handed over. */
  readonly delivered: number
  readonly dropped: number
  /** One when a rule has cut a frame, else none. */
  readonly severed: number
  /** Frames that had come and will not go, because the connection was cut. */
  readonly discarded: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Bytes that have come and not gone. */
  readonly buffered: number
  /** Bytes of a frame that the end of input cut off; `null` where it did not. */
  readonly truncatedTail: number | null
  /** Why the direction could not go on, as a frame that is too long. */
  readonly error: string | null
}

export type ConnectionState = "connecting" | "piping" | "severed" | "closed"

/**
 * A connection through the proxy. The last 1,000 that are closed are kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConnectionReport {
  /** Counts from 1, in the order in which they were accepted. */
  readonly id: number
  readonly state: ConnectionState
  readonly clientToLeader: DirectionReport
  readonly leaderToClient: DirectionReport
}

/** Since the start. `active` are those that are connecting or piping. */
export interface ProxyTotals {
  readonly accepted: number
  readonly upstreamRefused: number
  readonly active: number
  readonly closed: number
  readonly severed: number
  readonly frameErrors: number
}

/** A frame that waits at barriers. */
export interface HeldFrame {
  readonly connection: number
  readonly direction: Direction
  readonly index: number
  /** Those that are not released yet. */
  readonly barriers: ReadonlyArray<string>
}

/** How long something is waited for. */
export interface ProxyWait {
  /** In milliseconds. Default 30,000. */
  readonly ms?: number
  /** Gives the wait up: it fails with `Cancelled`. */
  readonly signal?: AbortSignal
}

/**
 * A proxy that runs. Every method but `stop` **fails** with `ProxyFailed` when the system let it accept nobody any more.
 *
 * **Source** agent-harness.md, sections 6.1 and 6.4
 *
 * @since 0.1.0
 * @category services
 */
export interface FaultProxy {
  /** Where it listens, with the real port. */
  readonly address: StreamAddress
  /** Of a port, `http://HOST:PORT`, for clients of HTTP; `null` at a Unix socket. */
  readonly url: string | null
  readonly upstream: UpstreamAddress
  /** The seed of its chances. */
  readonly seed: number
  /** Cuts every connection that is active, also one that is still connecting. **Gives** how many there were. */
  severNow(): number
  /** The same for one connection. **Gives** whether it was active. */
  severConnection(id: number): boolean
  /** Copies of frames that were handed over completely, of all connections since the start. */
  forwarded(direction: DirectionSource): number
  connections(): ReadonlyArray<ConnectionReport>
  totals(): ProxyTotals
  /** Stops reading a direction, of one connection or of all, those to come too. */
  pause(direction: DirectionSource, connection?: number): void
  /** Reads it again, also where a frame has stalled it. */
  resume(direction: DirectionSource, connection?: number): void
  /** Cuts directions, both by default, for all connections until they are healed; nothing is lost. */
  partition(...cut: ReadonlyArray<DirectionSource>): void
  heal(...healed: ReadonlyArray<DirectionSource>): void
  /** Lets a connection fall silent both ways, and closes nothing. **Gives** whether it was active. */
  vanish(connection: number): boolean
  /**
   * Opens a barrier for good. **Gives** how many frames waited at it, some of them at others too. **Fails** with `InvalidOption` when 10,000 are
   * open or named by rules.
   */
  release(barrier: string): number
  /** Whether the barrier was opened: no frame waits at it any more. */
  isReleased(barrier: string): boolean
  held(): ReadonlyArray<HeldFrame>
  rules(): ReadonlyArray<FaultRule>
  /** Puts another plan in the place of the present one. **Fails** with `InvalidOption`. */
  setPlan(plan: PlanSource): void
  /** Puts a rule behind the others. **Gives** its id. **Fails** with `InvalidOption`. */
  addRule(rule: RuleSource): string
  /** **Gives** whether there was one. */
  removeRule(id: string): boolean
  /** **Fails** with `WaitTimeout`, and with `Cancelled` when the proxy stops, or the signal of the wait gives it up. */
  waitForForwarded(direction: DirectionSource, count: number, wait?: ProxyWait): Promise<void>
  /** Waits until so many connections have been accepted since the start. **Fails** as `waitForForwarded`. */
  waitForConnections(count: number, wait?: ProxyWait): Promise<void>
  /** Waits until a frame waits at the barrier. **Fails** as `waitForForwarded`. */
  waitForHeld(barrier: string, wait?: ProxyWait): Promise<HeldFrame>
  /** The last 10,000 things that have happened, the oldest first. */
  events(): ReadonlyArray<ProxyEvent>
  /** Calls `see` for each event to come; what it gives ends that. */
  watch(see: (event: ProxyEvent) => void): () => void
  /** What has been recorded so far; `null` where nothing is recorded. */
  recording(): ProxyRecording | null
  /** Accepts nobody any more, cuts what is active, and removes the file of its socket. May be called again. */
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
