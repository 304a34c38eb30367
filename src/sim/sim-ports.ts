import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import type { OpSpec } from "../kernel/op.ts"
import type { HttpPort } from "../ports/http-port.ts"
import type { HeldThings } from "./held-things.ts"

/**
 * What the runtime of another library is put on, so that its time, its tasks and its servers are those of a simulated run.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimPorts {
  /** Its timers are those of the actor `server`. */
  readonly clock: Clock
  /** The source of the run, with labels as they are given: what stands before the last `/` names the fork. */
  readonly choice: Choice
  /** Where servers listen: for whole messages, the default, or for bytes. */
  http(over?: "messages" | "bytes"): HttpPort
  /** Plans an operation `ms` from now, which happens in nobody's name; the function it gives forgets it. */
  plan(ms: number, op: OpSpec, fire: () => void): () => void
  /** In whose name the code that asks is running. */
  actor(): string
  /** Who wants to know what the run's code holds open; absent where nobody does. */
  readonly held?: HeldThings | undefined
  /** Whether the run is over. What was left of it may do nothing any more. */
  isOver(): boolean
}
