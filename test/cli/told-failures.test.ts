import { readFileSync } from "node:fs"
import { afterEach, describe, expect, test } from "vitest"
import { decodeTrace } from "../../src/report/trace-reader.ts"
import { finish, stopAll } from "./fake-io.ts"
import { programs } from "./program-fixtures.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

afterEach(stopAll)

describe("understudy explore", () => {
  // Seen to fail while the message was that of the run as it was found, and while causes were not told.
  test("tells the same small run everywhere, with what was behind its error", async () => {
    const out = folder.path("caused.trace.jsonl")
    const junit = folder.path("caused.xml")
    const { out: lines, err } = await finish("explore", programs("caused.mjs"), "--out", out, "--junit", junit)
    const message = "fetch 1 failed (nobody is there)"

    expect(JSON.parse(lines)).toMatchObject({ message, failure: { message } })
    expect(decodeTrace(readFileSync(out, "utf8")).trace.end).toMatchObject({ message })
    expect(readFileSync(junit, "utf8")).toContain(`<failure message="${message}" type="failed">${message}\n`)
    expect(err).toContain(`\n${message}\n`)
    expect(err).toContain(`✗ ${message}\n`)
  })
})
