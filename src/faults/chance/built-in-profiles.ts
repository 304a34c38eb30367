import { InvalidOption } from "../../domain/errors.ts"
import { describe } from "../../domain/json.ts"
import { suggestion } from "../../domain/spelling.ts"
import type { IncidenceProfile } from "./profile.ts"
import { readProfile } from "./read-profile.ts"
import { defaultRandomWeights, type RandomWeights } from "./weights.ts"

/** Version 1 of each, frozen: other weights would be version 2. */
const versions: Readonly<Record<string, RandomWeights>> = {
  stress: defaultRandomWeights,
  calm: { success: 100 },
  network: {
    success: 25,
    slow_success: 10,
    connection_reset: 15,
    stream_disconnect: 15,
    partial_disconnect: 25,
    stall: 10
  },
  overload: { success: 20, slow_success: 25, rate_limit: 30, service_unavailable: 20, server_error: 5 },
  truncation: { success: 25, empty_body: 25, stream_eof: 25, partial_eof: 25 },
  protocol: { success: 25, malformed_json: 25, malformed_event: 25, wrong_content_type: 25 }
}

/**
 * The profiles that come with the package, by name. All are pressure: none says how often real providers fail.
 *
 * **Source** fault-server.md, section 9.5
 *
 * @since 0.1.0
 * @category faults
 */
export const builtInProfiles: ReadonlyMap<string, IncidenceProfile> = new Map(
  Object.entries(versions).map(([name, weights]) => [
    name,
    readProfile({ name, version: 1, kind: "pressure", weights: Object.entries(weights) })
  ])
)

/**
 * One of them.
 *
 * **Fails** with `InvalidOption`, naming those that there are
 *
 * @since 0.1.0
 * @category faults
 */
export const builtInProfile = (name: string): IncidenceProfile => {
  const profile = builtInProfiles.get(name)
  if (profile !== undefined) return profile
  const known = [...builtInProfiles.keys()]
  const meant = suggestion(name, known)
  throw new InvalidOption(`there is no profile ${describe(name)}${meant}; built in are ${known.join(", ")}`)
}
