import { InvalidOption } from "../domain/errors.ts"
import { builtInProfile } from "../faults/chance/built-in-profiles.ts"
import { profileDigest } from "../faults/chance/profile-digest.ts"
import { simulateChoices } from "../faults/chance/simulate-choices.ts"
import { parseWeights } from "../faults/chance/weights.ts"
import { anySeed } from "../live/any-seed.ts"
import { say } from "./command.ts"
import type { CommandIo } from "./command-io.ts"
import { simulateOptions as table } from "./faults-options.ts"
import { readProfileOption } from "./faults-profile.ts"
import { readDecimal } from "./faults-values.ts"
import type { GivenOptions, ValueOption } from "./option-table.ts"

const requestsDefault = 20

/**
 * Writes what a seed draws, one name a line; what was drawn from stands on stderr.
 *
 * **Fails** with `InvalidOption`
 * **Source** fault-server.md, section 9.5, point 6
 *
 * @since 0.1.0
 * @category running
 */
export const simulate = async (given: GivenOptions, io: CommandIo): Promise<number> => {
  const seed = numberOf(given, "--seed", table.seed, 4_294_967_295) ?? anySeed()
  const requests = numberOf(given, "--requests", table.requests, 1_000_000) ?? requestsDefault
  const weightsText = given.value(table["random-weights"])
  const asked = await readProfileOption(given.value(table.profile))
  if (asked !== null && weightsText !== undefined) {
    throw new InvalidOption("--profile and --random-weights both say what is drawn; give one of them")
  }
  const lane = given.value(table.lane)
  if (lane === "") throw new InvalidOption("--lane must not be empty")
  const ofLane = { seed, requests, ...(lane === undefined ? {} : { lane }) }
  const profile = asked ?? builtInProfile("stress")
  const source = weightsText === undefined ? { profile } : { weights: parseWeights(weightsText) }
  const choices = simulateChoices({ ...source, ...ofLane })
  const from =
    weightsText === undefined
      ? `profile ${profile.name} ${profile.version} (${profile.kind}, sha256 ${profileDigest(profile)})`
      : `weights ${weightsText}`
  io.stderr.write(`understudy: seed ${seed}, ${from}\n`)
  return say(io, choices.map((name) => `${name}\n`).join(""))
}

const numberOf = (given: GivenOptions, name: string, option: ValueOption<string>, most: number): number | undefined => {
  const text = given.value(option)
  if (text === undefined) return undefined
  const value = readDecimal(text, name, { least: 0, most })
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new InvalidOption(`${name} must be an integer between 0 and ${most}, and is ${text}`)
}
