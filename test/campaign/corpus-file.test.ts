import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeCorpus } from "../../src/campaign/corpus-file.ts"
import { failureOf, inFolder, run } from "./sim-tests.ts"

describe("A failure that cannot be kept", () => {
  // Seen to fail with a write error that took the place of the failure: no bug, no token.
  it("is told all the same, with why it is not kept and has no trace", async () => {
    const folder = inFolder()
    writeFileSync(join(folder, "__sim__"), "")

    const failure = await failureOf(run({ runs: 200 }, {}, { testFile: join(folder, "some.test.ts") }))
    expect(failure.message).toMatch(/^2 of 3 updates\nfound in run/)
    expect(failure.message).toContain(`\nSIM_REPLAY='${failure.token}'\nnot kept: EEXIST`)
    expect(failure.message).toContain("\nno trace: EEXIST")
    expect(failure.trace).toBeNull()
  })

  it("because a folder has the place of its file, is told too", async () => {
    const corpus = join(inFolder(), "some.test.json")
    mkdirSync(corpus)

    const { message } = await failureOf(run({ corpus, runs: 200, trace: false }))
    expect(message).toContain(`\nnot kept: ${corpus} cannot be read (EISDIR`)
  })

  it("is told where the place for its trace can be no path", async () => {
    const failure = await failureOf(run({ corpus: false, runs: 200 }, { SIM_TRACE: join(inFolder(), "a".repeat(300)) }))

    expect(failure.message).toMatch(/^2 of 3 updates\n[\s\S]*\nno trace: cannot write the trace .*ENAMETOOLONG/)
  })
})

describe("A file of kept failures that cannot be read", () => {
  const conflict = '{\n<<<<<<< HEAD\n  "an update": []\n=======\n  "an update": ["us1.0"]\n>>>>>>> other\n}\n'

  // Seen to fail with a file that was written over: what all of its tests had kept was gone.
  it.each([conflict, "[]", '{ "an update": "us1.0" }', '{ "another": [7] }'])(
    "is said, and left as it is: %j",
    async (text) => {
      const corpus = join(inFolder(), "some.test.json")
      writeFileSync(corpus, text)
      const told: Array<string> = []

      const { message } = await failureOf(
        run({ corpus, runs: 200, trace: false }, {}, { say: (line) => void told.push(line) })
      )
      expect(told).toEqual([
        expect.stringContaining(`an update: no failure is tried again: ${corpus} cannot be read (`)
      ])
      expect(message).toContain(`\nnot kept: ${corpus} cannot be read (`)
      expect(message).toContain("), so it is left as it is: mend it, or remove it")
      expect(readFileSync(corpus, "utf8")).toBe(text)
    }
  )

  it("is no failure of a test that passes", async () => {
    const corpus = join(inFolder(), "some.test.json")
    writeFileSync(corpus, conflict)

    await expect(run({ corpus, runs: 3 }, {}, { body: () => {} })).resolves.toBeUndefined()
  })
})

// Seen to fail with an object in the place of the map: "tokens.filter is not a function".
it("Tests may be called as what every object has", () => {
  const path = join(inFolder(), "__sim__", "some.test.json")
  const corpus = makeCorpus(path)
  const names = ["constructor", "toString", "__proto__", ""]

  for (const name of names) expect(corpus.tokens(name)).toEqual([])
  for (const name of names) expect(corpus.keep(name, `us1.${name}`)).toBeNull()
  for (const name of names) expect(makeCorpus(path).tokens(name)).toEqual([`us1.${name}`])
  expect(existsSync(path)).toBe(true)
})

it("tokens that cannot be read are said, and the others are tried", async () => {
  const corpus = join(inFolder(), "some.test.json")
  const { token } = await failureOf(run({ corpus: false, runs: 200, trace: false }))
  writeFileSync(corpus, JSON.stringify({ "an update": ["us1.nonsense", token] }))
  const told: Array<string> = []

  const failure = await failureOf(run({ corpus, runs: 200, trace: false }, {}, { say: (line) => void told.push(line) }))
  expect(told).toEqual([
    `an update: 1 of 2 kept failures hold no choices that can be read, and are not tried: ${corpus}`
  ])
  expect(failure.message).toContain("failed before, and fails again")
})
