import type { Clock } from "../../kernel/clock.ts"
import type { AgentEnd, AskModel, TextStore } from "../../ports/agent-surroundings.ts"

/**
 * What a fake agent needs of its process, real or simulated.
 *
 * @since 0.1.0
 * @category services
 */
export interface FakeAgentPorts {
  readonly clock: Clock
  /** The version that it says it has. */
  readonly version: string
  /** Where sessions are kept. */
  readonly store: TextStore
  readonly askModel: AskModel
  write(bytes: Uint8Array): void
  /** Writes to stderr. */
  complain(text: string): void
  /** Closes stdout, behind what was written; the process goes on. */
  closeOutput(): void
  /** Ends the process, behind what was written. Nothing is called after it. */
  end(end: AgentEnd): void
}

/**
 * A fake agent while it runs.
 *
 * @since 0.1.0
 * @category services
 */
export interface RunningFakeAgent {
  received(bytes: Uint8Array): void
  inputEnded(): void
}
