/**
 * Public subpath `llm-understudy/faults`: a provider that fails as it is told, by a script or by chance with a seed.
 *
 *     await using server = await startFaultServer({ sequence: ["rate_limit", "success"] })
 *     const client = new OpenAI({ baseURL: server.url, apiKey: "any" })
 */
import { Effect } from "effect"
import { baselineFaults, type FaultName } from "./domain/fault-names.ts"
import type { FaultOptions } from "./domain/fault-options.ts"
import type { Outcome } from "./domain/outcome.ts"
import { catalogue } from "./faults/catalogue/catalogue.ts"
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

/** What is known of a fault: what a client sees, the options that have an effect, how it ends for a client that stays. */
export interface FaultDescription {
  readonly name: FaultName
  readonly summary: string
  readonly options: ReadonlyArray<keyof FaultOptions>
  readonly outcome: Outcome
}

/** Every fault, in the order of the catalogue. */
export const faultCatalogue: ReadonlyArray<FaultDescription> = catalogue.map(({ name, summary, uses, outcome }) => ({
  name,
  summary,
  options: uses,
  outcome
}))

export { delayMsMax as timerMsMax } from "./domain/durations.ts"
export { InvalidOption, StartFailed, VerificationFailed } from "./domain/errors.ts"
export { baselineFaults, faultNames, largerFaults } from "./domain/fault-names.ts"
export { faultDefaults, type ResetMode } from "./domain/fault-options.ts"
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
export type { ServerClock } from "./serving/server-clock.ts"
export type { FaultName, FaultOptions, Outcome }
