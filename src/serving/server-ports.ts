import type { Clock } from "../kernel/clock.ts"
import type { HttpPort } from "../ports/http-port.ts"
import type { Lifetime } from "../supervisor/lifetime.ts"

/** What a world provides for a server. */
export interface ServerPorts {
  readonly clock: Clock
  /** The clock of guards against hanging, where it is another one. */
  readonly guardClock?: Clock
  /** Lets time pass, where a test holds the clock. */
  readonly advance?: (ms: number) => Promise<void>
  readonly http: HttpPort
  readonly lifetime: Lifetime
}
