import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption } from "../domain/errors.ts"
import { splitWeights } from "../faults/chance/weights.ts"
import { faultsOptions } from "./faults-options.ts"
import type { GivenOptions } from "./option-table.ts"

interface Range {
  readonly least: number
  readonly most: number
}

const delay: Range = { least: 0, most: delayMsMax }
const laterDelay: Range = { least: 1, most: delayMsMax }
const count: Range = { least: 0, most: Number.MAX_SAFE_INTEGER }
const positive: Range = { least: 1, most: Number.MAX_SAFE_INTEGER }

/**
 * The numbers of a command line, in the order in which their form is checked. Whether they are in range is checked with
 * the other values, but for `listenDelayMs`, which no server knows.
 *
 * **Fails** with `InvalidOption`
 * **Source** fault-server.md, section 4.3 (order of detection)
 *
 * @since 0.1.0
 * @category encoding
 */
export const readNumbers = (given: GivenOptions) => ({
  port: numberOf(given, "port", { least: 0, most: 65_535 }),
  listenDelayMs: inRange("listen-delay-ms", numberOf(given, "listen-delay-ms", delay), delay),
  seed: numberOf(given, "seed", { least: 0, most: 4_294_967_295 }),
  weights: weightsOf(given),
  chunkSize: numberOf(given, "chunk-size", positive),
  chunkDelayMs: numberOf(given, "chunk-delay-ms", delay),
  disconnectDelayMs: numberOf(given, "disconnect-delay-ms", delay),
  retryAfterMs: numberOf(given, "retry-after-ms", laterDelay),
  headDelayMs: numberOf(given, "head-delay-ms", delay),
  heartbeatMs: numberOf(given, "heartbeat-ms", laterDelay),
  contextWindow: numberOf(given, "context-window", { ...positive, most: positive.most - 1 }),
  cutAfterEvents: numberOf(given, "cut-after-events", count),
  cutAfterBytes: numberOf(given, "cut-after-bytes", count),
  maxBodyBytes: numberOf(given, "max-body-bytes", { least: 0, most: 1_073_741_824 })
})

type NumberOption = { [Name in keyof typeof faultsOptions]: Name }[keyof typeof faultsOptions]

const numberOf = (given: GivenOptions, name: NumberOption, range: Range): number | undefined => {
  const option = faultsOptions[name]
  const text = option.kind === "value" ? given.value<string>(option) : undefined
  return text === undefined ? undefined : readDecimal(text, `--${name}`, range)
}

/** Digits, with a sign or fraction that is out of every range; no `0x10`, no `1e3`, no blank. */
const decimal = /^-?\d+(?:\.\d+)?$/

/**
 * The number that a text of plain decimal digits stands for; one with a fraction or sign is given too, to be told as out of
 * range.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category encoding
 */
export const readDecimal = (text: string, option: string, { least, most }: Range): number => {
  const value = decimal.test(text) ? Number(text) : Number.NaN
  // "1.0" and "-0" would pass as whole numbers.
  const isPlain = /^\d+$/.test(text) || !Number.isInteger(value) || value < 0
  if (Number.isFinite(value) && isPlain) return value
  throw new InvalidOption(
    `${option} is ${JSON.stringify(text)}; give a finite number in plain digits, an integer between ${least} and ${most}`
  )
}

const inRange = (name: string, value: number | undefined, { least, most }: Range): number | undefined => {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return value
  throw new InvalidOption(`--${name} must be an integer between ${least} and ${most}, and is ${value}`)
}

const weightsOf = (given: GivenOptions): ReturnType<typeof splitWeights> | undefined => {
  const text = given.value(faultsOptions["random-weights"])
  return text === undefined ? undefined : splitWeights(text)
}
