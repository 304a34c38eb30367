import fc from "fast-check"
import { expect, test } from "vitest"
import { ProfileInvalid } from "../src/domain/harness-errors.ts"
import { isRecord } from "../src/domain/json.ts"
import { readProfile, readProfileText } from "../src/harness/profile/read-profile.ts"
import { anyBuiltIn, anyProfileSource } from "./arbitraries/harness-profiles.ts"
import { checkProperty } from "./check.ts"

const anyProfile = fc.oneof(
  { weight: 3, arbitrary: anyProfileSource.map(readProfile) },
  { weight: 1, arbitrary: anyBuiltIn }
)

/** Objects whose members are free: names are data there, or the agent's own. Steps of a place are parted by `/`. */
const free = [
  /^(binary\/roleEnv|headless\/formats|mock\/env|sandbox\/(homeEnv|killSwitches)|leader\/env|signals)$/,
  /^acp\/(initializeMeta|clientCapabilities|auth\/meta)(\/|$)/,
  /^headless\/formats\/[^/]+\/(terminal|answer\/event)(\/|$)/
]

interface Place {
  readonly keys: ReadonlyArray<string | number>
  readonly value: unknown
}

const placesIn = (value: unknown, keys: ReadonlyArray<string | number> = []): ReadonlyArray<Place> => {
  const inner = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : []
  return [{ keys, value }, ...inner.flatMap(([key, item]) => placesIn(item, [...keys, key]))]
}

/** The same value with another one at a place. */
const changedAt = (
  value: unknown,
  keys: ReadonlyArray<string | number>,
  change: (old: unknown) => unknown
): unknown => {
  const [key, ...rest] = keys
  if (key === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changedAt(item, rest, change) : item))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === key ? changedAt(item, rest, change) : item])
  )
}

const refusal = (source: unknown): string => {
  try {
    readProfile(source)
    return "taken"
  } catch (error) {
    return error instanceof ProfileInvalid ? error.message : String(error)
  }
}

// Seen to fail when the reader forgets `leadingArgsPosition`, when it trims the names of formats, and when a note is lost.
test("E11. what a file says stands in the profile that it gives", () =>
  checkProperty(
    "profiles are read whole",
    fc.property(anyProfileSource, (source) => {
      expect(readProfileText(JSON.stringify(source), { name: "profile.json" })).toMatchObject(source)
    }),
    { runs: 200 }
  ))

// Seen to fail when a `null` that was filled in is refused, and when what is left out is filled in with something else at
// the second reading.
test("E11. a profile survives JSON unchanged, however often it is read", () =>
  checkProperty(
    "profiles survive JSON",
    fc.property(anyProfile, (profile) => {
      const again = readProfileText(JSON.stringify(profile), { name: "profile.json" })

      expect(again).toEqual(profile)
      expect(JSON.stringify(again)).toBe(JSON.stringify(profile))
    }),
    { runs: 200 }
  ))

// Seen to fail when `openObject` looks at the top level alone, and when unknown members of `answer` are dropped.
test("E11. an unknown field is refused wherever it stands, by its place", () =>
  checkProperty(
    "unknown fields",
    fc.property(anyProfile, fc.nat(), (profile, pick) => {
      const objects = placesIn(profile).filter(
        ({ keys, value }) => isRecord(value) && !free.some((names) => names.test(keys.join("/")))
      )
      const place = objects[pick % objects.length]
      const refused = refusal(changedAt(profile, place?.keys ?? [], (old) => ({ ...Object(old), qqqqq: 1 })))

      expect(refused).toMatch(/qqqqq` of the profile is not known/)
    }),
    { runs: 200 }
  ))

const templates =
  /^(acp\/args|headless\/args|headless\/formats\/[^/]+\/args|mock\/env|mock\/files\/\d+\/(path|template)|sandbox\/homeEnv|leader\/(args|clientArgs))(\/|$)/

// Seen to fail when the arguments of a format are read as plain texts, and when a placeholder may hold letters alone.
test("E11. an unknown placeholder is refused wherever a template stands", () =>
  checkProperty(
    "unknown placeholders",
    fc.property(anyProfile, fc.nat(), fc.constantFrom("nowhere", "mock-url", "HOME2"), (profile, pick, name) => {
      const texts = placesIn(profile).filter(
        ({ keys, value }) => typeof value === "string" && templates.test(keys.join("/"))
      )
      const place = texts[pick % texts.length]
      const refused = refusal(changedAt(profile, place?.keys ?? [], (old) => `${old}{${name}}`))

      expect(refused).toContain(`names {${name}}, which is not known`)
    }),
    { runs: 200 }
  ))
