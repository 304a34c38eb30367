import { InvalidOption } from "../domain/errors.ts"
import { builtInProfile } from "../faults/chance/built-in-profiles.ts"
import type { IncidenceProfile } from "../faults/chance/profile.ts"
import { readProfile } from "../faults/chance/read-profile.ts"
import { checkWeights, type FaultWeights } from "../faults/chance/weights.ts"
import { checkFaultServer, type ReadyOptions } from "../faults/check-server-options.ts"
import type { FaultServerOptions } from "../faults/fault-server-api.ts"
import { readSequence } from "../faults/read-sequence.ts"
import { hasRandom } from "../faults/script-entry.ts"
import { type FaultsAsked, hostDefault, lanesAsked, serverOptions } from "./faults-asked.ts"
import { listenDelayMsDefault, portDefault, faultsOptions as table } from "./faults-options.ts"
import { readProfileOption } from "./faults-profile.ts"
import { type FaultsScript, weightsObject } from "./faults-script.ts"
import { type SplitSequence, splitEntries, splitSequence } from "./faults-sequence.ts"
import { readNumbers } from "./faults-values.ts"
import type { GivenOptions } from "./option-table.ts"

/** What `understudy faults` was asked to do, all of it checked. */
export interface FaultsPlan {
  readonly options: FaultServerOptions
  readonly host: string
  readonly port: number
  /** How long connects are refused before the port is bound. */
  readonly refusal: { readonly ms: number } | null
  readonly ready: ReadyOptions
  /** What `random` means. */
  readonly profile: IncidenceProfile
  readonly isFull: boolean
}

/**
 * Checks a command line before there is any output, delay or socket. The first problem is told, in the order of the
 * specification: the form of numbers, the sequence, what does not go together, the values.
 *
 * **Fails** with `InvalidOption`
 * **Source** fault-server.md, section 4.3
 *
 * @since 0.1.0
 * @category guards
 */
export const readFaults = async (given: GivenOptions): Promise<FaultsPlan> => {
  const numbers = readNumbers(given)
  const file = given.value(table.script)
  if (file !== undefined && given.has(table.sequence)) {
    throw new InvalidOption(
      "--sequence and --script both say what requests get; give one of them (all other options go with --script)"
    )
  }
  const script = file === undefined ? {} : await readScriptFile(file)
  const sequence = readSequenceOption(given, { numbers, script, file })
  const asked: FaultsAsked = { given, numbers, script, sequence }
  checkTogether(asked)
  const profile = await readProfileOption(given.value(table.profile))
  const options = serverOptions({ ...asked, profile })
  asOptions(() => checkFaultServer(options, world))
  const weights = weightsOf(asked)
  const whole = weights === null ? options : { ...options, randomWeights: weightsObject(weights) }
  const ready = asOptions(() => checkFaultServer(whole, world))
  return {
    options: whole,
    host: options.host ?? hostDefault,
    port: options.port ?? portDefault,
    refusal: sequence?.refusal ?? null,
    ready,
    profile: ready.profile ?? profileOf(weights),
    isFull: options.telemetry === "full"
  }
}

const weightsOf = ({ given, numbers, script }: FaultsAsked): FaultWeights | null => {
  if (numbers.weights !== undefined) return checkWeights(numbers.weights, "--random-weights")
  return given.has(table.profile) ? null : (script.weights ?? null)
}

const profileOf = (weights: FaultWeights | null): IncidenceProfile =>
  weights === null
    ? builtInProfile("stress")
    : readProfile({ name: "custom", version: 1, kind: "pressure", weights: [...weights] })

/** On real sockets nobody sees a connect that is refused. */
const world = { countsConnects: false }

const readScriptFile = async (file: string): Promise<FaultsScript> => {
  const { readJsonFile } = await import("./faults-file.ts")
  const { readFaultsScript } = await import("./faults-script.ts")
  const document = readJsonFile(file)
  return withPrefix(`${file}: `, () => readFaultsScript(document))
}

const withPrefix = <A>(prefix: string, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidOption ? new InvalidOption(`${prefix}${error.message}`) : error
  }
}

const readSequenceOption = (
  given: GivenOptions,
  { numbers, script, file }: Pick<FaultsAsked, "numbers" | "script"> & { readonly file: string | undefined }
): SplitSequence | null => {
  const text = given.value(table.sequence)
  if (text === undefined && file === undefined) {
    throw new InvalidOption("--sequence is required, for example --sequence rate_limit,success")
  }
  const entries = text === undefined ? script.sequence : splitEntries(text)
  if (entries !== undefined) {
    return splitSequence(entries, {
      name: text === undefined ? `${file}: sequence` : "--sequence",
      repeatLast: given.has(table["repeat-last"]) || script.repeatLast === true,
      listenDelayMs: numbers.listenDelayMs ?? listenDelayMsDefault
    })
  }
  if (Object.keys(script.lanes ?? {}).length > 0) return null
  throw new InvalidOption(`${file}: sequence is required where there are no lanes`)
}

/** What is wrong in the combination of options. */
const checkTogether = (asked: FaultsAsked): void => {
  const { given, numbers, sequence } = asked
  if (numbers.port === 0 && sequence !== null && sequence.refusal !== null) {
    throw new InvalidOption(
      "connection_refused in first place needs a nonzero --port, or clients could not know where to connect"
    )
  }
  if (numbers.listenDelayMs !== undefined && sequence?.isBare !== true) {
    throw new InvalidOption(
      "--listen-delay-ms is for a --sequence that begins with connection_refused, without a time of its own"
    )
  }
  if (!drawsRandom(asked)) {
    const stray = (["seed", "random-weights", "profile", "keyed"] as const).find((name) => given.has(table[name]))
    if (stray !== undefined) throw new InvalidOption(`--${stray} is for scripts with random, and there is none`)
  }
  if (given.has(table.profile) && given.has(table["random-weights"])) {
    throw new InvalidOption("--profile and --random-weights both say what random means; give one of them")
  }
  checkLanes(asked)
}

const drawsRandom = ({ script, sequence }: FaultsAsked): boolean => {
  const named = Object.values(script.lanes ?? {}).map((lane) =>
    readSequence(lane.sequence, { repeatLast: true, ...world })
  )
  return [...(sequence === null ? [] : [sequence.script]), ...named].some(hasRandom)
}

const checkLanes = (asked: FaultsAsked): void => {
  const { by, isStrict, lanePort } = lanesAsked(asked)
  const hasScripts = Object.keys(asked.script.lanes ?? {}).length > 0
  const needsScripts = isStrict ? "--strict-lanes" : lanePort ? "--lane-port" : undefined
  if (needsScripts !== undefined && !hasScripts) {
    throw new InvalidOption(`${needsScripts} is for a --script with lanes, and there are none`)
  }
  if (asked.given.has(table["per-lane"]) && by === undefined) {
    throw new InvalidOption("--per-lane needs to know how callers are told apart; add --lane-by, for example bearer")
  }
  if (hasScripts && by === undefined && !lanePort) {
    throw new InvalidOption(
      "how are the callers of the lanes told apart? Add --lane-by, for example path, or --lane-port"
    )
  }
}

/** The library names its options as its users write them; here they are named as on the command line. */
const asOptions = <A>(check: () => A): A => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof InvalidOption)) throw error
    throw new InvalidOption(
      error.message
        .replace(/^[a-zA-Z]+(?= )/, optionOf)
        .replaceAll(/lanes\.lanePort(?:: true)?/g, "--lane-port")
        .replace("or say lanes.perLane: false", 'or "perLane": false in a --script')
        .replace("lanes.scripts[", "lanes[")
    )
  }
}

const optionOf = (name: string): string => {
  const option = name === "randomSeed" ? "seed" : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return Object.hasOwn(table, option) ? `--${option}` : name
}
