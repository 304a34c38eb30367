import type { WireProfile } from "../domain/endpoint.ts"
import { firstHeader, type RequestHead } from "../domain/request.ts"

/**
 * Whether a request carries the required token: exactly `Bearer TOKEN` or `bearer TOKEN`; in profile full also
 * `x-api-key: TOKEN`.
 *
 * **Source** inference-server.md, section 2
 *
 * @since 0.1.0
 * @category guards
 */
export const isAuthorized = (
  { headers }: RequestHead,
  options: { readonly token: string | null; readonly profile: WireProfile }
): boolean => {
  const { token, profile } = options
  if (token === null) return true
  const authorization = firstHeader(headers, "authorization")
  if (authorization === `Bearer ${token}` || authorization === `bearer ${token}`) return true
  return profile === "full" && firstHeader(headers, "x-api-key") === token
}
