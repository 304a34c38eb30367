import type { ListenAddress } from "../ports/http-port.ts"
import type { Listener } from "../serving/listener.ts"
import type { GapKeeper } from "./gap-keeper.ts"

/** One port of the server: the main one, or that of a lane. */
export interface OpenPort {
  readonly lane: string | null
  readonly listener: Listener
  readonly gaps: GapKeeper
  readonly address: ListenAddress
}

/** `http://host:port`, IPv6 addresses in brackets. */
export const originOf = ({ host, port }: ListenAddress): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
