import { packageVersion } from "../campaign/package-version.ts"
import { prngName } from "../faults/chance/choose.ts"
import { profileDigest } from "../faults/chance/profile-digest.ts"
import type { FaultWeights } from "../faults/chance/weights.ts"
import type { FaultServer } from "../faults/fault-server-api.ts"
import { declaredLaneName } from "../faults/lane-key.ts"
import type { FaultsPlan } from "./faults-check.ts"
import type { OutputRecord } from "./report.ts"

/**
 * The record that tells that the server answers: with full telemetry all that is needed to run the same again.
 *
 * **Source** fault-server.md, sections 4.5, 9.2, 9.5 and 9.7; DESIGN, section 5
 *
 * @since 0.1.0
 * @category encoding
 */
export const readyRecord = (server: FaultServer, plan: FaultsPlan): OutputRecord => ({
  type: "ready",
  baseURL: server.url,
  randomSeed: server.randomSeed,
  ...(plan.isFull ? fullMembers(server, plan) : {}),
  // Nobody could find the ports otherwise.
  ...(!plan.isFull && server.laneURLs.size > 0 ? { lanes: lanesOf(server, plan) } : {}),
  url: server.url
})

const fullMembers = (server: FaultServer, plan: FaultsPlan) => {
  const { name, version, kind, burst, timing } = plan.profile
  return {
    prng: prngName,
    profile: {
      name,
      version,
      kind,
      sha256: profileDigest(plan.profile),
      ...(burst === undefined ? {} : { burst }),
      ...(timing === undefined ? {} : { timing })
    },
    weights: plan.profile.weights,
    formats: plan.ready.formats,
    lanes: lanesOf(server, plan),
    version: packageVersion()
  }
}

const hasSame = (left: FaultWeights, right: FaultWeights): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The lanes that are known before the first request, each with the port that serves it. */
const lanesOf = (server: FaultServer, { ready, profile }: FaultsPlan) => {
  const base = ready.base === null ? [] : ([["default", ready.base]] as const)
  return [...base, ...ready.named].map(([key, { script, weights }]) => {
    const own = server.laneURLs.get(key)
    const baseURL = own === undefined ? server.url : `${own}/v1`
    return {
      lane: declaredLaneName(key, ready.laneRules),
      entries: script.entries.length,
      repeatLast: script.repeatLast,
      ...(hasSame(weights, profile.weights) ? {} : { weights }),
      port: Number(/:(\d+)\/v1$/.exec(baseURL)?.[1]),
      baseURL
    }
  })
}
