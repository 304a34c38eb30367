import type { UpstreamAddress } from "../../ports/stream-port.ts"

/**
 * What clients who had connected to an upstream themselves would have sent as `Host`; nothing for a Unix socket.
 *
 * @since 0.1.0
 * @category encoding
 */
export const upstreamHost = (address: UpstreamAddress): string | undefined => {
  if (address.kind === "unix") return undefined
  const host = address.host.includes(":") ? `[${address.host}]` : address.host
  return address.port === (address.kind === "tls" ? 443 : 80) ? host : `${host}:${address.port}`
}
