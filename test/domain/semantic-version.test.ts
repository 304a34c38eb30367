import { expect, test } from "vitest"
import { isOlderVersion } from "../../src/domain/semantic-version.ts"

/** In the order of semantic versioning, section 11. */
const ordered = [
  "0.9.10",
  "1.0.0-alpha",
  "1.0.0-alpha.1",
  "1.0.0-alpha.beta",
  "1.0.0-beta",
  "1.0.0-beta.2",
  "1.0.0-beta.11",
  "1.0.0-rc.1",
  "1.0.0",
  "1.0.10",
  "1.2.0",
  "10.0.0"
]

test("a version is older than those behind it, and than no other", () => {
  for (const [index, one] of ordered.entries()) {
    expect(ordered.filter((other) => isOlderVersion(one, other))).toEqual(ordered.slice(index + 1))
  }
})

test("a build makes no version older or newer", () => {
  expect(isOlderVersion("1.0.0+1", "1.0.0+2")).toBe(false)
  expect(isOlderVersion("1.0.0+9", "1.0.1")).toBe(true)
})

test.each(["", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0-a..b", "nightly", "1.0.0 "])(
  "%j is neither older nor newer than anything",
  (text) => {
    expect([isOlderVersion(text, "9.9.9"), isOlderVersion("0.0.0", text)]).toEqual([false, false])
  }
)
