import { expect, it } from "vitest"
import { durationMs } from "../../src/domain/duration.ts"

it.each([
  [250, 250],
  ["250 ms", 250],
  ["1 millisecond", 1],
  ["15s", 15_000],
  ["60 seconds", 60_000],
  ["1.5 s", 1_500],
  ["2 minutes", 120_000],
  ["1 h", 3_600_000]
])("%s is %d milliseconds", (duration, ms) => {
  expect(durationMs(duration)).toBe(ms)
})

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "soon", "1", "1 fortnight", "-1 s"])(
  "%s is no duration",
  (duration) => {
    expect(() => durationMs(duration)).toThrow("is no duration; use milliseconds or a text")
  }
)

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("%s is named as it was given", (duration) => {
  expect(() => durationMs(duration)).toThrow(`${duration} is no duration`)
})
