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

  // Seen to refuse both.
  test("runs a program whose neighbour cannot be run, when it is asked for alone", async () => {
    expect(await finish("explore", programs("half-wrong.mjs"), "--only", "right")).toMatchObject({ code: 0 })
    for (const only of [["--only", "wrong"], []]) {
      const { code, err } = await finish("explore", programs("half-wrong.mjs"), ...only)
      expect(code).toBe(2)
      expect(err).toContain('the program "wrong": there is no option "rums"; did you mean "runs"?')
    }
  })
})

// Seen to fail with "ENOENT: no such file or directory, open ...".
test("A folder or a trace that is not there is said in words", async () => {
  const trace = folder.path("told.trace.jsonl")
  await finish("explore", programs("caused.mjs"), "--out", trace)
  const nowhere = folder.path("nowhere")

  const junit = await finish("explore", programs("caused.mjs"), "--junit", `${nowhere}/x.xml`)
  expect(junit.err).toContain(`--junit: cannot write ${nowhere}/x.xml: there is no folder ${nowhere}; give a file`)
  const test = await finish("explain", trace, "--test", `${nowhere}/x.mjs`)
  expect(test.err).toContain(`cannot write ${nowhere}/x.mjs: there is no folder ${nowhere}; give a file`)
  const none = await finish("explain", nowhere)
  expect(none.err).toContain(`there is no trace ${nowhere}; give what explore or shrink wrote`)
  for (const { err } of [junit, test, none]) expect(err).not.toContain("ENOENT")
})
