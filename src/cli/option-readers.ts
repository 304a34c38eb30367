import { durationMs } from "../domain/duration.ts"
import { suggestion } from "../domain/spelling.ts"
import { list } from "../inference/scenario-words.ts"
import type { OptionReading } from "./option-table.ts"

type Reader<A> = (text: string) => OptionReading<A>

/** Plain decimal digits only: no sign, no fraction, no `0x10`, no blank. */
export const wholeNumber =
  (range: { readonly least: number; readonly most: number }): Reader<number> =>
  (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= range.least && value <= range.most) return { value }
    return { problem: `is ${JSON.stringify(text)}; give a whole number from ${range.least} to ${range.most}` }
  }

/** One of some words. */
export const oneOf =
  <const Word extends string>(words: ReadonlyArray<Word>): Reader<Word> =>
  (text) => {
    const value = words.find((word) => word === text)
    if (value !== undefined) return { value }
    return { problem: `is ${JSON.stringify(text)}; give ${list(words, "or")}${suggestion(text, words)}` }
  }

/** Any text but none; `example` says what is meant. */
export const someText =
  (example: string): Reader<string> =>
  (text) =>
    text.trim() === "" ? { problem: `is empty; give ${example}` } : { value: text }

/** A secret that a header can carry. It is not repeated in the message. */
export const secret: Reader<string> = (text) =>
  /^[!-~]+$/.test(text)
    ? { value: text }
    : { problem: "must be visible ASCII without spaces, or no header could carry it; give another key" }

/** A duration such as `30s`, `500ms` or `2m`, in milliseconds; without a unit nobody knows what is meant. */
export const duration =
  (range: { readonly leastMs: number; readonly mostMs: number }): Reader<number> =>
  (text) => {
    const problem = { problem: `is ${JSON.stringify(text)}; give a duration such as 30s, 500ms, 2m or 1h` }
    if (/^\d+(\.\d+)?$/.test(text)) return problem
    try {
      const value = durationMs(text)
      return value >= range.leastMs && value <= range.mostMs ? { value } : problem
    } catch {
      return problem
    }
  }
