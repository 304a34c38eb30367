import { InvalidOption } from "../../domain/errors.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { listOf, members, milliseconds, type OptionCheck, oneOf, whole, yesOrNo } from "../../domain/option-checks.ts"
import { type ChecksOf, forEver } from "../../sim/network-checks.ts"
import { optionProblem, retries } from "../option-tables.ts"
import type { FuzzOptions } from "./fuzz.ts"
import type { FuzzProperties } from "./fuzz-properties.ts"
import { type FuzzWorkload, fuzzFaults, usersMost } from "./fuzz-workload.ts"

const countMost = 1_000

/** Nobody gives up at once: a turn that is over in the step that begins it tells nothing. */
const patience: OptionCheck = (value, path) =>
  typeof value === "number" && Number.isFinite(value) && value >= 1
    ? null
    : `${path} is ${describe(value)}; give milliseconds from 1`

const workload: ChecksOf<FuzzWorkload> = {
  clientsMax: whole(1, usersMost),
  turnsMax: whole(1, countMost),
  toolsMax: whole(0, countMost),
  abortsMs: listOf(patience),
  faults: listOf(oneOf(fuzzFaults)),
  faultsMax: whole(0, countMost)
}

/** A promise that is on, off, or on with bounds of its own. */
const promise =
  (bounds: OptionCheck): OptionCheck =>
  (value, path) => {
    if (isRecord(value)) return bounds(value, path)
    return yesOrNo(value, path) === null
      ? null
      : `${path} is ${describe(value)}; give true, false, or an object of bounds`
  }

/** Of a cancel the only bound is all that an object could say. */
const cancel: OptionCheck = (value, path) =>
  members({ withinMs: milliseconds })(value, path) ??
  (isRecord(value) ? milliseconds(value["withinMs"], `${path}.withinMs`) : null)

const properties: ChecksOf<FuzzProperties> = {
  noLostTurn: yesOrNo,
  noDoubleToolCall: yesOrNo,
  noAnswerAfterCancel: promise(cancel),
  backOffRespected: promise(members(retries)),
  everyStreamEndsOnce: yesOrNo,
  settleBudgetMs: forEver
}

/**
 * Checks what a client is fuzzed with, before anything is run.
 *
 * **Fails** with `InvalidOption`, which says what to give instead
 *
 * @since 0.1.0
 * @category guards
 */
export const checkFuzz = (client: unknown, promises: FuzzProperties, options: FuzzOptions): void => {
  const problem =
    members(properties)(promises, "properties") ??
    (isRecord(options) ? optionsProblem(options) : `the options are ${describe(options)}; give an object`)
  if (problem !== null) throw new InvalidOption(`fuzz: ${problem}`)
  if (typeof client === "function") return
  throw new InvalidOption(`fuzz: the client is ${describe(client)}; give a function that makes one, (setup) => ...`)
}

const optionsProblem = ({ workload: asked, ...campaign }: FuzzOptions): string | null => {
  if ("judge" in campaign) return "judge is made of the properties: say there which promises count"
  return (asked === undefined ? null : members(workload)(asked, "workload")) ?? optionProblem("fuzz", campaign)
}

/** **Fails** with `InvalidOption` for what a client that was made cannot be. */
export const checkMade = (makeTurn: unknown): void => {
  if (typeof makeTurn === "function") return
  throw new InvalidOption(
    `fuzz: the client gave ${describe(makeTurn)}; give back a function that makes a turn, async ({ prompt, signal }) => text`
  )
}
