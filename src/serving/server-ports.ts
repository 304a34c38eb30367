import type { Clock } from "../kernel/clock.ts"
import type { HttpPort } from "../ports/http-port.ts"
import type { Lifetime } from "../supervisor/lifetime.ts"
import type { TimePorts } from "./server-clock.ts"

/** What a world provides for a server. */
export interface ServerPorts extends TimePorts {
  /** The clock of guards against hanging, where it is another one. */
  readonly guardClock?: Clock
  readonly http: HttpPort
  readonly lifetime: Lifetime
}
