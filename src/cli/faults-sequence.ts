import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption } from "../domain/errors.ts"
import { readSequence, refusedName } from "../faults/read-sequence.ts"
import type { FaultScript, SequenceEntry } from "../faults/script-entry.ts"

/** A sequence without the gap at its beginning, which is before the port is bound. */
export interface SplitSequence {
  /** How long connects are refused at first; `null` when they are not. */
  readonly refusal: { readonly ms: number } | null
  /** Whether the bare `connection_refused` stands first. */
  readonly isBare: boolean
  readonly rest: ReadonlyArray<SequenceEntry>
  readonly script: FaultScript
}

/**
 * The text of `--sequence` as entries.
 *
 * **Fails** with `InvalidOption` when one is empty
 *
 * @since 0.1.0
 * @category encoding
 */
export const splitEntries = (text: string): ReadonlyArray<string> => {
  const entries = text.split(",").map((entry) => entry.trim())
  if (!entries.includes("")) return entries
  throw new InvalidOption("--sequence has an empty entry; every entry must be non-empty, as in rate_limit,success")
}

/**
 * Checks a sequence and takes the refusal before the first bind from it.
 *
 * **Takes** `listenDelayMs`: what the bare form stands for
 * **Fails** with `InvalidOption`
 * **Source** fault-server.md, sections 4.3, 4.4 and 9.2
 *
 * @since 0.1.0
 * @category encoding
 */
export const splitSequence = (
  entries: ReadonlyArray<SequenceEntry>,
  options: { readonly name: string; readonly repeatLast: boolean; readonly listenDelayMs: number }
): SplitSequence => {
  const { name, repeatLast, listenDelayMs } = options
  const words = entries.map(wordOf)
  if (words.slice(1).includes(refusedName)) {
    throw new InvalidOption(
      `${name}: ${refusedName} may only come first; write ${refusedName}:300 to refuse for 300 ms anywhere`
    )
  }
  const isBare = words[0] === refusedName
  const times = words.map((word, index) => (index === 0 && isBare ? listenDelayMs : gapMs(word)))
  const answered = times.indexOf(null)
  const leading = answered === -1 ? times : times.slice(0, answered)
  if (answered === -1) {
    throw new InvalidOption(`${name}: ${refusedName} must be followed by at least one behaviour that answers`)
  }
  const rest = entries.slice(answered)
  const script = readSequence(rest, { repeatLast, countsConnects: false, name })
  const ms = leading.reduce<number>((sum, time) => sum + (time ?? 0), 0)
  if (ms > delayMsMax) throw new InvalidOption(`${name} refuses for ${ms} ms at first; ${delayMsMax} is the most`)
  return { refusal: leading.length === 0 ? null : { ms }, isBare, rest, script }
}

const wordOf = (entry: SequenceEntry): string => (typeof entry === "string" ? entry : entry.behavior).trim()

/** How long an entry refuses; `null` for one that answers, or is wrong. */
const gapMs = (word: string): number | null => {
  const [name, digits = "", ...others] = word.split(":")
  if (name !== refusedName || others.length > 0 || !/^\d+$/.test(digits)) return null
  const ms = Number(digits)
  return ms <= delayMsMax ? ms : null
}
