import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { member } from "../../src/domain/json.ts"
import { decodeTrace } from "../../src/report/trace-reader.ts"
import { finish } from "./fake-io.ts"
import type { Json } from "./lines.ts"
import { programs } from "./program-fixtures.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()
const racing = programs("racing.mjs")
const trace = folder.path("racing.trace.jsonl")
let token = ""

/** A command with one record on stdout. */
const carriedOut = async (
  ...argv: ReadonlyArray<string>
): Promise<{ readonly code: number; readonly record: Json; readonly err: string }> => {
  const { code, out, err } = await finish(...argv)
  return { code, err, record: out === "" ? {} : JSON.parse(out) }
}

const refusal = async (...argv: ReadonlyArray<string>): Promise<string> => {
  const { code, out, err } = await finish(...argv)
  expect({ code, out }).toEqual({ code: 2, out: "" })
  return err
}

beforeAll(async () => {
  const { out } = await finish("explore", racing, "--out", trace)
  token = String(member(member(JSON.parse(out), "failure"), "token"))
})

describe("understudy replay", () => {
  test("makes the run of a trace again, and says that it is the same and fails", async () => {
    const { code, record, err } = await carriedOut("replay", trace)

    expect(code).toBe(1)
    expect(record).toMatchObject({ type: "replay", program: "racing", outcome: "failed", isSame: true, token })
    expect(err).toContain("racing: FAILED, the same run")
    expect(err).toContain("sequenceDiagram")
    expect(err).toMatch(/thrown\n.*racing\.mjs/)
    expect(err).not.toContain("warning")
  })

  test("makes the run of a token again, with the module behind it", async () => {
    const { code, record } = await carriedOut("replay", token, racing)

    expect(code).toBe(1)
    expect(record).toMatchObject({ outcome: "failed", isSame: true, message: expect.stringContaining("sold 2 of 1") })
  })

  test("exits with 0 when the run passes now, and says from where on it is another one", async () => {
    const looksTwice = "if (stock === 0) return sim.sleep(1)\n    stock--"
    const mended = folder.write("mended.mjs", readFileSync(racing, "utf8").replace("stock--", looksTwice))
    const { code, record, err } = await carriedOut("replay", trace, mended)

    expect(code).toBe(0)
    expect(record).toMatchObject({ outcome: "ok", isSame: false, difference: null })
    expect(err).toContain("warning: ")
    expect(err).toContain("mended.mjs is not what it was when the trace was written")
    expect(err).toContain("the first step that differs:\n  then {")
    expect(err).toMatch(/the run passes, in \d+ steps; then it failed with: sold 2 of 1/)
  })

  test("exits with 1 when the run passes without the choices of the trace, and names the draw", async () => {
    const other = folder.write("other.mjs", "export default { run: async (sim) => sim.sleep(3) }\n")
    const { code, record, err } = await carriedOut("replay", trace, other, "--only", "other")

    expect(code).toBe(1)
    expect(record).toMatchObject({ outcome: "ok", difference: expect.stringContaining("it ended at draw 0") })
    expect(err).toContain("the run passes, and it is not the run of the token: it ended at draw 0")
  })

  test("finds the module from the folder of the trace, wherever the two are moved", async () => {
    mkdirSync(folder.path("moved"))
    writeFileSync(folder.path("moved/racing.mjs"), readFileSync(racing))
    await finish("explore", folder.path("moved/racing.mjs"), "--out", folder.path("moved/a.trace.jsonl"))
    cpSync(folder.path("moved"), folder.path("elsewhere"), { recursive: true })

    const { record, err } = await carriedOut("replay", folder.path("elsewhere/a.trace.jsonl"))

    expect(record).toMatchObject({ outcome: "failed", isSame: true })
    expect(err).not.toContain("warning")
  })

  test("warns when the trace is of another version of Node or of this package", async () => {
    const other = readFileSync(trace, "utf8").replace('"engine":"0.1.0"', '"engine":"0.0.7"')
    const { err } = await carriedOut("replay", folder.write("other.trace.jsonl", other), racing)

    expect(err).toContain("warning: llm-understudy differs: the run was made with 0.0.7, and this is 0.1.0")
  })

  test("refuses with exit code 2 what cannot be run again, and says what to give", async () => {
    const text = readFileSync(trace, "utf8")
    const cut = folder.write("cut.trace.jsonl", text.slice(0, text.lastIndexOf('{"end"')))
    const lost = folder.write("lost.trace.jsonl", text.replace(/"module":"[^"]*"/, '"module":"gone.mjs"'))

    expect(await refusal("replay")).toContain("TRACE|TOKEN is missing: the file that explore wrote")
    expect(await refusal("replay", folder.path("none.jsonl"))).toContain("there is no trace")
    expect(await refusal("replay", token)).toContain("give the module behind it")
    expect(await refusal("replay", `${token}x`, racing)).toContain("a part of it is missing or changed")
    expect(await refusal("replay", racing)).toContain("no trace: line 1")
    expect(await refusal("replay", cut)).toContain("cut.trace.jsonl has no token: the run did not end: 4 steps")
    expect(await refusal("replay", lost)).toContain("gone.mjs, which is not there; give the module behind it")
    expect(await refusal("replay", token, programs("several.mjs"))).toContain(
      'has 3 programs: "broken at once", "calm", "goals"; say which with --only NAME'
    )
  })
})

describe("understudy shrink", () => {
  /** A token of a failing run with more choices than it needs. */
  const big = async (): Promise<string> => {
    const path = folder.write(
      "unshrunk.mjs",
      readFileSync(racing, "utf8").replace("runs: 200", "runs: 200, shrinkRunsMax: 0")
    )
    const out = folder.path("big.trace.jsonl")
    await finish("explore", path, "--out", out, "--strategy", "random", "--seed", "3")
    return out
  }

  test("writes the trace of a smaller run that fails the same way, and leaves the first as it is", async () => {
    const path = await big()
    const before = readFileSync(path, "utf8")
    const { code, record } = await carriedOut("shrink", path)

    expect(code).toBe(0)
    const small = folder.path("big.small.trace.jsonl")
    expect(record).toMatchObject({ type: "shrink", isMinimal: true, trace: small })
    expect(Number(record["nonCalm"])).toBeLessThan(Number(record["nonCalmBefore"]))
    expect(readFileSync(path, "utf8")).toBe(before)
    expect(decodeTrace(readFileSync(small, "utf8")).trace).toMatchObject({
      end: { type: "failed", token: record["token"] },
      header: { options: { isShrunk: true } }
    })
    expect((await carriedOut("replay", small)).record).toMatchObject({ outcome: "failed", isSame: true })
  })

  test("keeps to its number of runs, and says that it may become smaller yet", async () => {
    const { record, err } = await carriedOut("shrink", await big(), "--runs", "2")

    expect(record).toMatchObject({ runs: 2, isMinimal: false })
    expect(err).toContain("it may become smaller yet")
  })

  test("fails when the run does not fail any more, and writes nothing", async () => {
    const mended = folder.write("mended-too.mjs", "export default { run: async (sim) => sim.sleep(3) }\n")
    const { code, out, err } = await finish("shrink", token, mended)

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain("the run does not fail here, so there is nothing to make small")
  })

  test("refuses to write over what is no trace", async () => {
    copyFileSync(racing, folder.path("mine.mjs"))

    expect(await refusal("shrink", trace, "--out", folder.path("mine.mjs"))).toContain("is there and no trace")
  })
})
