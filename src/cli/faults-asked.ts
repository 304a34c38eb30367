import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { suggestion } from "../domain/spelling.ts"
import type { FaultFormat } from "../faults/catalogue/voice.ts"
import type { IncidenceProfile } from "../faults/chance/profile.ts"
import { allFormats } from "../faults/check-server-options.ts"
import type { FaultServerOptions, LaneOptions } from "../faults/fault-server-api.ts"
import { readLaneRule } from "../faults/lane-key.ts"
import { portDefault, faultsOptions as table } from "./faults-options.ts"
import type { FaultsScript } from "./faults-script.ts"
import type { SplitSequence } from "./faults-sequence.ts"
import type { readNumbers } from "./faults-values.ts"
import type { FlagOption, GivenOptions } from "./option-table.ts"

export const hostDefault = "127.0.0.1"

/** A command line, with what of it was read already. */
export interface FaultsAsked {
  readonly given: GivenOptions
  readonly numbers: ReturnType<typeof readNumbers>
  readonly script: FaultsScript
  /** `null` when every lane has its own. */
  readonly sequence: SplitSequence | null
}

/** How callers are told apart, by the command line and the script together. */
export const lanesAsked = ({ given, script }: Pick<FaultsAsked, "given" | "script">) => ({
  by: given.value(table["lane-by"])?.split(",").map(readRule) ?? script.laneBy,
  perLane: given.has(table["per-lane"]) || script.perLane,
  isStrict: given.has(table["strict-lanes"]) || script.strictLanes === true,
  lanePort: given.has(table["lane-port"]) || script.lanePort === true,
  onlyForeground: given.has(table["only-foreground"]) || script.onlyForeground === true
})

const readRule = (text: string) => readLaneRule(text.trim(), "--lane-by")

const lanesOf = (asked: FaultsAsked): LaneOptions | undefined => {
  const { by, perLane, isStrict, lanePort, onlyForeground } = lanesAsked(asked)
  const lanes: LaneOptions = {
    ...some(by, (value) => ({ by: value })),
    ...some(perLane, (value) => ({ perLane: value })),
    ...some(asked.script.lanes, (scripts) => ({ scripts })),
    ...(isStrict ? { isStrict } : {}),
    ...(lanePort ? { lanePort } : {}),
    ...(onlyForeground ? { onlyForeground } : {})
  }
  return Object.keys(lanes).length === 0 ? undefined : lanes
}

/**
 * All that a server is told, but for weights; what the command line says stands above the script.
 *
 * **Takes** `profile`: that of the command line
 * **Fails** with `InvalidOption` when a format is none
 *
 * @since 0.1.0
 * @category constructors
 */
export const serverOptions = (
  asked: FaultsAsked & { readonly profile: IncidenceProfile | null }
): FaultServerOptions => {
  const { given, numbers, script, sequence } = asked
  const hasWeights = numbers.weights !== undefined
  const faultHeader = given.value(table["fault-header"])
  return {
    recordsMax: 0,
    host: given.value(table.host) ?? hostDefault,
    port: numbers.port ?? portDefault,
    ...faultOptions(asked),
    ...(sequence === null ? {} : { sequence: sequence.rest }),
    ...some(flag(given, table["repeat-last"]) ?? script.repeatLast, (repeatLast) => ({ repeatLast })),
    ...some(numbers.seed, (randomSeed) => ({ randomSeed })),
    ...some(asked.profile ?? (hasWeights ? undefined : script.profile), (profile) => ({ profile })),
    ...some(flag(given, table.keyed) ?? script.keyed, (keyed) => ({ keyed })),
    ...some(given.value(table["api-key"]), (apiKey) => ({ apiKey })),
    ...some(given.value(table.formats), (formats) => ({ formats: formats.split(",").map(readFormat) })),
    ...some(numbers.maxBodyBytes, (maxBodyBytes) => ({ maxBodyBytes })),
    ...some(faultHeader, (state) => ({ faultHeader: state === "on" })),
    ...some(given.value(table["chunk-shape"]), (chunkShape) => ({ chunkShape })),
    ...some(given.value(table["usage-placement"]), (usagePlacement) => ({ usagePlacement })),
    ...some(given.value(table.streaming), (streaming) => ({ streaming })),
    ...some(flag(given, table["mark-errors"]), (markErrors) => ({ markErrors })),
    ...some(given.value(table.telemetry), (telemetry) => ({ telemetry })),
    ...some(lanesOf(asked), (lanes) => ({ lanes }))
  }
}

/** What is said about the faults themselves. */
const faultOptions = ({ given, numbers, script }: FaultsAsked): FaultServerOptions => ({
  ...script.options,
  ...some(numbers.chunkSize, (chunkSize) => ({ chunkSize })),
  ...some(numbers.chunkDelayMs, (chunkDelayMs) => ({ chunkDelayMs })),
  ...some(numbers.disconnectDelayMs, (disconnectDelayMs) => ({ disconnectDelayMs })),
  ...some(numbers.retryAfterMs, (retryAfterMs) => ({ retryAfterMs })),
  ...some(numbers.headDelayMs, (headDelayMs) => ({ headDelayMs })),
  ...some(numbers.heartbeatMs, (heartbeatMs) => ({ heartbeatMs })),
  ...some(numbers.contextWindow, (contextWindow) => ({ contextWindow })),
  ...some(numbers.cutAfterEvents, (cutAfterEvents) => ({ cutAfterEvents })),
  ...some(numbers.cutAfterBytes, (cutAfterBytes) => ({ cutAfterBytes })),
  ...some(given.value(table["success-text"]), (successText) => ({ successText })),
  ...some(given.value(table["partial-text"]), (partialText) => ({ partialText })),
  ...some(given.value(table["reasoning-text"]), (reasoningText) => ({ reasoningText })),
  ...some(given.value(table["tool-name"]), (toolName) => ({ toolName })),
  ...some(given.value(table["request-id"]), (requestId) => ({ requestId })),
  ...some(given.value(table["tool-arguments"]), (toolArguments) => ({ toolArguments })),
  ...some(given.value(table["reset-mode"]), (resetMode) => ({ resetMode }))
})

/** What a value adds when it was given. */
const some = <A, B extends object>(value: A | undefined, make: (value: A) => B): B | Record<never, never> =>
  value === undefined ? {} : make(value)

const flag = (given: GivenOptions, option: FlagOption): true | undefined => (given.has(option) ? true : undefined)

const readFormat = (text: string): FaultFormat => {
  const word = text.trim()
  const format = allFormats.find((known) => known === word)
  if (format !== undefined) return format
  const meant = suggestion(word, allFormats) || `; give some of ${allFormats.join(", ")}`
  throw new InvalidOption(`--formats: there is no format ${describe(word)}${meant}`)
}
