import { sha256 } from "../../domain/digest.ts"
import { isRecord } from "../../domain/json.ts"
import type { IncidenceProfile } from "./profile.ts"

/**
 * What makes two profiles the same, as 64 lower-case hex digits: SHA-256 over `canonicalProfile`.
 *
 * **Source** fault-server.md, section 9.5, point 5
 *
 * @since 0.1.0
 * @category fingerprints
 */
export const profileDigest = (profile: IncidenceProfile): string => sha256(canonicalProfile(profile))

/**
 * A profile as JSON text without white space, the members of each object in the order of their names (RFC 8785), lists
 * in their own order. Of a file without zero weights `jq -cSj .` gives the same.
 *
 * @since 0.1.0
 * @category encoding
 */
export const canonicalProfile = (profile: IncidenceProfile): string => JSON.stringify(sortMembers(profile))

const sortMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (!isRecord(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]))
}
