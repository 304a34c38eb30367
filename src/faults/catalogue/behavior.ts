import type { BodyStep } from "../../domain/body-step.ts"
import type { FaultName } from "../../domain/fault-names.ts"
import type { FaultOptions, FaultSettings } from "../../domain/fault-options.ts"
import type { Outcome } from "../../domain/outcome.ts"
import type { Ending, Heartbeat } from "../../domain/plan.ts"
import type { Voice } from "./voice.ts"

/** What a behaviour is written with. */
export interface FaultContext {
  readonly voice: Voice
  readonly settings: FaultSettings
  /** Milliseconds since 1970 at which the answer is written, for dates in headers. */
  readonly wallMs: number
}

/**
 * What a behaviour does on the wire, before barriers and the connection's own headers are added. Without a head not one
 * byte is sent. `semanticEnd` is the index, among the event steps, of the event that says how the answer ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultAnswer {
  readonly head: {
    readonly status: number
    readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  } | null
  /** Silence before the head. */
  readonly headDelayMs: number
  readonly steps: ReadonlyArray<BodyStep>
  readonly semanticEnd: number | null
  readonly ending: Ending
  /** What breaks the silence of a stall. */
  readonly heartbeat?: Heartbeat
}

/**
 * One way in which a provider answers or fails. `stream` answers a request for a stream, `reply` one for a JSON reply.
 *
 * **Source** fault-server.md, sections 1, 9.4.5 and 9.9
 *
 * @since 0.1.0
 * @category models
 */
export interface Behavior {
  readonly name: FaultName
  /** What a client sees, in a few words. */
  readonly summary: string
  /** The options that have an effect. */
  readonly uses: ReadonlyArray<keyof FaultOptions>
  /** How it ends when the client stays to the end. */
  readonly outcome: Exclude<Outcome, "client_closed" | "server_error">
  readonly stream: (context: FaultContext) => FaultAnswer
  readonly reply: (context: FaultContext) => FaultAnswer
}
