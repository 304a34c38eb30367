import type { ClientWatch, DialWatch } from "./client-watch.ts"
import type { HeldThings } from "./held-things.ts"
import type { WireWatch } from "./wire-watch.ts"

/** Who sees a run from outside, and changes nothing in it. */
export interface RunObserver {
  readonly clients: ClientWatch
  /** Sees clients over bytes; absent where nobody wants to know. */
  readonly dials?: DialWatch | undefined
  /** Sees what arrives over connections; absent where nobody wants to know. */
  readonly wire?: WireWatch | undefined
  /** Wants to know what code of the run holds open; absent where nobody does. */
  readonly held?: HeldThings | undefined
  /** The program made a note. */
  noted(text: string): void
  /** The program has ended; what is left of it runs dry, and servers are closed. */
  programEnded(): void
  /** What clients have not done yet, one line each. */
  goingOn(): ReadonlyArray<string>
  /** Who waits for what, one line each. */
  waiting(): ReadonlyArray<string>
  /** Nothing of the run happens any more. */
  over(): void
}
