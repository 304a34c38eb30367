import { InvalidOption } from "../domain/errors.ts"
import { isRecord } from "../domain/json.ts"
import type { StreamAddress, UpstreamAddress } from "../ports/stream-port.ts"
import { endpointText, readEndpoint, readUpstream } from "./endpoint.ts"
import type { PlanSource } from "./plan/plan-source.ts"
import { checkProxyOptions } from "./proxy-option-table.ts"
import type { FaultProxyOptions, FaultProxyParts } from "./proxy-options.ts"
import { isSamePlace } from "./same-place.ts"

/** Where a proxy listens: an address, or a text as `unix:PATH`, `tcp:HOST:PORT`, or a path. */
export type ListenChoice = string | StreamAddress

/** Where it connects to: the same, or a text as `http://HOST:PORT`. */
export type UpstreamChoice = string | UpstreamAddress

/**
 * What people say of a proxy, checked, as its start takes it. In front of an address that begins with `http` the framing is `http`, unless they say
 * another one.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const proxyParts = (
  listen: ListenChoice,
  upstream: UpstreamChoice,
  plan: PlanSource | undefined,
  options: FaultProxyOptions
): FaultProxyParts => {
  // Before they are spread, of which null would be none.
  checkProxyOptions(options)
  const { address, framing } = readUpstream(textOf(upstream))
  const listening = readEndpoint(textOf(listen))
  if (isSamePlace(listening, address)) {
    const place = endpointText(listening)
    throw new InvalidOption(`listen and upstream are both ${place}; a proxy cannot be its own upstream`)
  }
  return { framing, ...options, listen: listening, upstream: address, plan }
}

/** Reading its text again says what is wrong with an address; what is none at all is told as it is. */
const textOf = (choice: unknown): unknown => (isAddress(choice) ? endpointText(choice) : choice)

const isAddress = (choice: unknown): choice is UpstreamAddress => {
  if (!isRecord(choice)) return false
  const { kind, path, host, port } = choice
  if (kind === "unix") return typeof path === "string"
  return (kind === "tcp" || kind === "tls") && typeof host === "string" && typeof port === "number"
}
