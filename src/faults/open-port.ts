import type { ListenAddress } from "../ports/http-port.ts"
import type { Listener } from "../serving/listener.ts"
import type { GapKeeper } from "./gap-keeper.ts"

/** One port of the server: the main one, or that of a lane. */
export interface OpenPort {
  /** The key of its lane; `null` for the main one. */
  readonly lane: string | null
  readonly listener: Listener
  readonly gaps: GapKeeper
  readonly address: ListenAddress
}

/** The port that all callers share, `undefined` before it is bound. */
export const mainPort = (ports: ReadonlyArray<OpenPort>): OpenPort | undefined =>
  ports.find(({ lane }) => lane === null)

/** `http://host:port`, IPv6 addresses in brackets. */
export const originOf = ({ host, port }: ListenAddress): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
