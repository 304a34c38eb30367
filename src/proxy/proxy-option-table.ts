import {
  check,
  checkOption,
  either,
  members,
  type OptionCheck,
  oneOf,
  whole,
  yesOrNo
} from "../domain/option-checks.ts"
import type { FaultProxyOptions } from "./proxy-options.ts"

const seedMax = 2 ** 32 - 1

const recording = members({ bytesMax: whole(0, Number.MAX_SAFE_INTEGER) })

/** Every option has its row: one that is added without it does not compile. */
const table: Readonly<Record<keyof FaultProxyOptions, OptionCheck>> = {
  // Its reader says more of what is wrong with it.
  framing: check(() => true, ""),
  seed: whole(0, seedMax),
  tail: oneOf(["forward", "drop"]),
  events: oneOf(["runs", "frames"]),
  record: either(yesOrNo, recording)
}

/**
 * Checks options of a proxy.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category guards
 */
export const checkProxyOptions = (options: FaultProxyOptions): void => checkOption(members(table), options)
