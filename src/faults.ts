/**
 * Public subpath `llm-understudy/faults`: a provider that fails as it is told, by a script or by chance with a seed.
 *
 *     await using server = await startFaultServer({ sequence: ["rate_limit", "success"] })
 *     const client = new OpenAI({ baseURL: server.url, apiKey: "any" })
 */
import { Effect } from "effect"
import { baselineFaults } from "./domain/fault-names.ts"
import type { FaultServer, FaultServerOptions } from "./faults/fault-server-api.ts"
import { startFaults } from "./faults/start-fault-server.ts"
import { anySeed } from "./live/any-seed.ts"
import { liveClock } from "./live/clock.ts"
import { liveHttp } from "./live/http-server.ts"
import { makeManualClock } from "./live/manual-clock.ts"
import { makeLifetime } from "./supervisor/lifetime.ts"

/**
 * Starts a fault server on a real port.
 *
 * **Fails** with `InvalidOption` before anything is bound, with `StartFailed` when the port cannot be had
 * **Source** fault-server.md, section 6
 *
 * @since 0.1.0
 * @category constructors
 */
export const startFaultServer = (options: FaultServerOptions): Promise<FaultServer> =>
  new Promise((resolve, reject) => {
    const base = {
      http: liveHttp,
      lifetime: makeLifetime(Effect.runSync),
      anySeed,
      countsConnects: false
    }
    const manual = options?.clock === "manual" ? makeManualClock() : null
    const ports =
      manual === null
        ? { ...base, clock: liveClock }
        : { ...base, clock: manual, guardClock: liveClock, advance: manual.advance }
    startFaults(ports, options, { started: resolve, failed: reject })
  })

/** The names that a script may hold, in the order of the catalogue; `random` is drawn from the weights. */
export const faultBehaviors: ReadonlyArray<string> = [...baselineFaults, "random"]

export { delayMsMax as timerMsMax } from "./domain/durations.ts"
export { InvalidOption, StartFailed, VerificationFailed } from "./domain/errors.ts"
export { baselineFaults, type FaultName, faultNames, largerFaults } from "./domain/fault-names.ts"
export { type FaultOptions, faultDefaults, type ResetMode } from "./domain/fault-options.ts"
export type { Outcome } from "./domain/outcome.ts"
export type { FaultFormat } from "./faults/catalogue/voice.ts"
export { builtInProfiles } from "./faults/chance/built-in-profiles.ts"
export { prngName } from "./faults/chance/choose.ts"
export { fitProfile } from "./faults/chance/fit-profile.ts"
export type { IncidenceProfile } from "./faults/chance/profile.ts"
export { simulateChoices } from "./faults/chance/simulate-choices.ts"
export { defaultRandomWeights, type RandomWeights } from "./faults/chance/weights.ts"
export type { FaultEvent, RejectReason } from "./faults/fault-event.ts"
export type {
  FaultRecord,
  FaultServer,
  FaultServerOptions,
  LaneOptions,
  LaneScript,
  LaneState
} from "./faults/fault-server-api.ts"
export type { LaneRule } from "./faults/lane-key.ts"
export type { SequenceEntry } from "./faults/script-entry.ts"
