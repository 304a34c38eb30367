import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { finish } from "./fake-io.ts"
import { programs } from "./program-fixtures.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()
const trace = folder.path("racing.trace.jsonl")

beforeAll(async () => {
  await finish("explore", programs("racing.mjs"), "--out", trace)
})

describe("understudy explain", () => {
  test("tells a failure with its choices, token and diagram on stdout", async () => {
    const { code, out, err } = await finish("explain", trace)

    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain('sold 2 of 1 <things> & "more"')
    expect(out).toContain("1 choice is not calm:")
    expect(out).toContain("\nsequenceDiagram\n")
  })

  test("gives the diagram alone with --mermaid", async () => {
    const { out } = await finish("explain", trace, "--mermaid")

    expect(out.startsWith("sequenceDiagram\n  participant p1 as ann\n")).toBe(true)
  })

  test("writes timeline, log and test where it is told to, and says so", async () => {
    const [html, shiviz, regression] = ["t.html", "t.log", "t.test.mjs"].map(folder.path)
    const { code, out, err } = await finish(
      "explain",
      trace,
      ...["--html", `${html}`, "--shiviz", `${shiviz}`, "--test", `${regression}`]
    )

    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(err.split("\n")).toEqual([
      `understudy: the timeline is in ${html}`,
      `understudy: the log for ShiViz is in ${shiviz}`,
      `understudy: the regression test is in ${regression}`
    ])
    expect(readFileSync(`${html}`, "utf8")).toMatch(/^<!doctype html>/)
    expect(readFileSync(`${shiviz}`, "utf8")).toContain('ann {"ann":1}')
    const text = readFileSync(`${regression}`, "utf8")
    expect(text).toContain('import { replay } from "llm-understudy/sim"')
    expect(text).toContain('import { test } from "node:test"')
    expect(text).toMatch(/import program from "\.\..*racing\.mjs"/)
  })

  test("explains a trace whose end was cut as far as it goes", async () => {
    const text = readFileSync(trace, "utf8")
    const cut = folder.write("cut.trace.jsonl", text.slice(0, text.lastIndexOf('{"i":4') + 20))
    const { code, out, err } = await finish("explain", cut)

    expect(code).toBe(0)
    expect(err).toContain("warning: the trace is cut: line 5 is cut: 3 steps before it can be read")
    expect(out).toContain("racing: the run did not end; 3 steps")
  })

  test("refuses what is no trace with exit code 2, and never writes over one", async () => {
    const none = await finish("explain", folder.path("none.jsonl"))
    const other = await finish("explain", folder.write("other.jsonl", "{}\n"))
    const over = await finish("explain", trace, "--html", trace)
    const nowhere = await finish("explain", trace, "--html", folder.path("no/where.html"))

    const log = folder.path("there.log")
    const partly = await finish("explain", trace, "--html", folder.path("no/where.html"), "--shiviz", `${log}`)

    expect([none.code, other.code, over.code, nowhere.code]).toEqual([2, 2, 1, 1])
    expect(partly.code).toBe(1)
    expect(partly.err).toContain(`the log for ShiViz is in ${log}`)
    expect(none.err).toContain("there is no trace ")
    expect(other.err).toContain("no trace: line 1")
    expect(over.err).toContain("is a trace, which is not written over; give another file")
    expect(nowhere.err).toContain("give a file that can be written")
  })
})
