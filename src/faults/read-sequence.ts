import { checkEntryOptions } from "../domain/check-fault-options.ts"
import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption } from "../domain/errors.ts"
import { type FaultName, faultNames, isFaultName } from "../domain/fault-names.ts"
import type { FaultOptions, ResetMode } from "../domain/fault-options.ts"
import { describe, isRecord } from "../domain/json.ts"
import { suggestion } from "../domain/spelling.ts"
import type { FaultScript, Gap, ScriptEntry, SequenceEntry } from "./script-entry.ts"

/** More entries than this are refused: `name*n` would fill the memory. */
export const entriesMax = 1_000_000

/** The name that stands for a gap. */
export const refusedName = "connection_refused"

/** One entry as it was read: a fault so many times, or a gap. `null` milliseconds stand for the bare name. */
type ReadEntry =
  | { readonly kind: "fault"; readonly entry: ScriptEntry; readonly times: number }
  | { readonly kind: "gap"; readonly ms: number | null }

/**
 * Reads a sequence.
 *
 * **Takes** `countsConnects`: whether the world shows connects that are refused, so that a bare `connection_refused` may
 * stand anywhere and consumes one
 * **Fails** with `InvalidOption`, naming the entry and what is allowed
 * **Source** fault-server.md, sections 3.3, 4.3, 9.2 and 9.8
 *
 * @since 0.1.0
 * @category encoding
 */
export const readSequence = (
  sequence: unknown,
  options: { readonly repeatLast: boolean; readonly countsConnects: boolean; readonly name?: string }
): FaultScript => {
  const { repeatLast, countsConnects, name = "sequence" } = options
  if (!Array.isArray(sequence) || sequence.length === 0) {
    throw new InvalidOption(
      `${name} is ${describe(sequence)}; it needs a non-empty list of behaviours, for example ["rate_limit", "success"]`
    )
  }
  const entries: Array<ScriptEntry> = []
  const gaps = new Map<number, Gap>()
  for (const given of sequence) {
    const read = readEntry(given, name)
    if (read.kind === "gap") {
      gaps.set(entries.length, addGap(gaps.get(entries.length), gapOf(read.ms, countsConnects, name)))
      continue
    }
    if (entries.length + read.times > entriesMax) {
      throw new InvalidOption(`${name} has more than ${entriesMax} entries; use repeatLast for the last one`)
    }
    for (let time = 0; time < read.times; time++) entries.push(read.entry)
  }
  if (entries.length === 0) {
    throw new InvalidOption(`${name}: ${refusedName} must be followed by at least one behaviour that answers`)
  }
  if (gaps.has(entries.length) && !repeatLast) {
    throw new InvalidOption(`${name} ends with ${refusedName}; let a behaviour follow, or use repeatLast`)
  }
  return { entries, gaps, repeatLast }
}

const readEntry = (given: SequenceEntry, name: string): ReadEntry => {
  if (typeof given === "string") return readWord(given, name)
  if (!isRecord(given)) {
    throw new InvalidOption(`${name} holds ${describe(given)}; an entry is a name, or { behavior, times, options }`)
  }
  const known = ["behavior", "times", "options"]
  const stray = Object.keys(given).find((key) => !known.includes(key))
  if (stray !== undefined) {
    throw new InvalidOption(`${name}: an entry has the member ${describe(stray)}; it may have ${known.join(", ")}`)
  }
  const { behavior, times = 1, options = {} } = given
  if (typeof behavior !== "string") throw unknownBehavior(behavior, name)
  if (!Number.isInteger(times) || times < 1) {
    throw new InvalidOption(`${name}: times of ${describe(behavior)} is ${describe(times)}; use a whole number from 1`)
  }
  checkEntryOptions(options, `${name}: ${behavior}`)
  const read = readWord(behavior, name)
  if (read.kind === "gap") {
    if (times === 1 && Object.keys(options).length === 0) return read
    throw new InvalidOption(`${name}: ${refusedName} takes no times and no options; ${wholeGap}`)
  }
  return {
    kind: "fault",
    entry: { behavior: read.entry.behavior, options: { ...read.entry.options, ...options } },
    times: read.times * times
  }
}

/** The parts of `name:detail*times`, where the last two may be missing; blanks around the star are nothing. */
const partsOf = (word: string) => {
  const [whole = "", ...behind] = word.split("*")
  const [behavior = "", ...details] = whole.trim().split(":")
  return {
    behavior,
    detail: details.length === 0 ? undefined : details.join(":"),
    times: behind.length === 0 ? undefined : behind.join("*").trim()
  }
}

const readWord = (text: string, name: string): ReadEntry => {
  const trimmed = text.trim()
  if (trimmed === "") throw new InvalidOption(`${name} has an empty entry; every entry must be non-empty`)
  const { behavior, detail, times } = partsOf(trimmed)
  if (behavior === refusedName && times !== undefined) {
    throw new InvalidOption(`${name}: ${refusedName} cannot be repeated by *; ${wholeGap}`)
  }
  if (behavior === refusedName) return { kind: "gap", ms: detail === undefined ? null : gapMs(detail, name) }
  if (behavior !== "random" && !isFaultName(behavior)) throw unknownBehavior(behavior, name)
  return {
    kind: "fault",
    entry: { behavior, options: detail === undefined ? {} : { resetMode: resetModeOf(detail, { behavior, name }) } },
    times: times === undefined ? 1 : repeats(times, { behavior, name })
  }
}

const wholeGap = `give the whole time, as in ${refusedName}:900`

const unknownBehavior = (behavior: unknown, name: string): InvalidOption =>
  new InvalidOption(`${name}: unknown behaviour ${describe(behavior)}${suggestion(String(behavior), sequenceNames)}`)

const gapMs = (text: string, name: string): number => {
  const ms = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (ms <= delayMsMax) return ms
  throw new InvalidOption(
    `${name}: ${refusedName}:${text} needs milliseconds, an integer between 0 and ${delayMsMax}, behind the colon`
  )
}

const resetModeOf = (
  text: string,
  { behavior, name }: { readonly behavior: FaultName | "random"; readonly name: string }
): ResetMode => {
  if (text === "fin" || text === "rst") return text
  throw new InvalidOption(`${name}: ${behavior}:${text} is not known; only :fin or :rst may follow a behaviour`)
}

const repeats = (
  text: string,
  { behavior, name }: { readonly behavior: FaultName | "random"; readonly name: string }
): number => {
  const times = /^\d+$/.test(text) ? Number(text) : 0
  if (times >= 1 && times <= entriesMax) return times
  const [, count, ending] = /^(\d+)\s*:(fin|rst)$/.exec(text) ?? []
  if (count !== undefined) {
    throw new InvalidOption(
      `${name}: ${behavior}*${text} has its ending behind its number; write ${behavior}:${ending}*${count}`
    )
  }
  throw new InvalidOption(`${name}: ${behavior}*${text} needs an integer between 1 and ${entriesMax} behind the *`)
}

const gapOf = (ms: number | null, countsConnects: boolean, name: string): Gap => {
  if (ms !== null) return { kind: "time", ms }
  if (countsConnects) return { kind: "connects", count: 1 }
  throw new InvalidOption(
    `${name}: a bare ${refusedName} is for the command line and may only come first; ` +
      `write ${refusedName}:300 for a gap of 300 ms`
  )
}

const addGap = (earlier: Gap | undefined, gap: Gap): Gap => {
  if (earlier === undefined) return gap
  if (earlier.kind === "time" && gap.kind === "time") return { kind: "time", ms: earlier.ms + gap.ms }
  if (earlier.kind === "connects" && gap.kind === "connects") {
    return { kind: "connects", count: earlier.count + gap.count }
  }
  throw new InvalidOption(`two gaps in a row must both have a time, or both have none`)
}

/** The names that a user may write in a sequence, for help and completion. */
export const sequenceNames: ReadonlyArray<FaultName | "random"> = [...faultNames, "random"]

/** The options of an entry on top of those of its server. */
export const withEntryOptions = (base: FaultOptions, entry: ScriptEntry): FaultOptions => ({
  ...base,
  ...entry.options
})
