import type { StreamAddress, UpstreamAddress } from "../ports/stream-port.ts"
import { endpointText, readEndpoint, readUpstream } from "./endpoint.ts"
import type { PlanSource } from "./plan/plan-source.ts"
import type { FaultProxyOptions, FaultProxyParts } from "./proxy-options.ts"

/** Where a proxy listens: an address, or a text as `unix:PATH`, `tcp:HOST:PORT`, or a path. */
export type ListenChoice = string | StreamAddress

/** Where it connects to: the same, or a text as `http://HOST:PORT`. */
export type UpstreamChoice = string | UpstreamAddress

/**
 * What people say of a proxy, as its start takes it. In front of an address that begins with `http` the framing is `http`, unless they say
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
  const { address, framing } = readUpstream(textOf(upstream))
  return { framing, ...options, listen: readEndpoint(textOf(listen)), upstream: address, plan }
}

const textOf = (choice: unknown): unknown => (isAddress(choice) ? endpointText(choice) : choice)

/** Reading its text again says what is wrong with it. */
const isAddress = (choice: unknown): choice is UpstreamAddress =>
  typeof choice === "object" && choice !== null && "kind" in choice
