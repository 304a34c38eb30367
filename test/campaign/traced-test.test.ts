import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readTraceFile } from "../../src/campaign/run-trace-file.ts"
import { explore } from "../../src/sim.ts"
import { finish } from "../cli/fake-io.ts"
import { failureOf, inFolder, lostUpdate, run } from "./sim-tests.ts"

/** The failed run of a simulated test whose file would be `some.test.ts` in a folder of this test. */
const failedIn = async (folder: string, env: Record<string, string> = {}) => {
  const failure = await failureOf(run({ runs: 200 }, env, { testFile: join(folder, "some.test.ts") }))
  return { failure, trace: failure.trace ?? "" }
}

// Seen to fail with no trace, and with one that is written in CI too.
describe("The trace of a simulated test that failed", () => {
  it("is beside what it keeps, and the failure says how it is explained", async () => {
    const folder = inFolder()
    const { failure, trace } = await failedIn(folder)

    expect(trace).toMatch(/__sim__\/some\.test\.[0-9a-f]{8}\.trace\.jsonl$/)
    expect(failure.message).toContain(
      `\nnpx llm-understudy explain ${trace} shows the run; --html FILE and --shiviz FILE draw it\n`
    )
    const { end, header, steps } = readTraceFile(trace).trace
    expect(end).toMatchObject({ type: "failed", token: failure.token, message: "2 of 3 updates" })
    expect(header).toMatchObject({ title: "an update", options: { testFile: "../some.test.ts", test: "an update" } })
    expect(steps.length).toBeGreaterThan(3)
  })

  it("is drawn and explained by the command", async () => {
    const folder = inFolder()
    const { failure, trace } = await failedIn(folder)
    const [html, log] = [join(folder, "t.html"), join(folder, "t.log")]

    const told = await finish("explain", trace)
    expect(told.code).toBe(0)
    expect(told.out).toContain("2 of 3 updates")
    expect(told.out).toContain(`SIM_REPLAY='${failure.token}'`)
    expect(told.out).toContain("\nsequenceDiagram\n")
    expect((await finish("explain", trace, "--html", html, "--shiviz", log)).code).toBe(0)
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>/)
    expect(readFileSync(log, "utf8")).toContain("test {")
  })

  it("says where its run is made again, for no other file can import its body", async () => {
    const folder = inFolder()
    const { failure, trace } = await failedIn(folder, { VITEST: "true" })
    const again = `SIM_REPLAY='${failure.token}' npx vitest run ${join(folder, "some.test.ts")}`

    const replayed = await finish("replay", trace)
    expect(replayed.code).toBe(2)
    expect(replayed.err).toContain(`is of the simulated test "an update", whose runner makes its run again: ${again}`)
    const tested = await finish("explain", trace, "--test", join(folder, "t.test.ts"))
    expect(tested.code).toBe(2)
    expect(tested.err).toContain(`give it the option first: ["${failure.token}"]`)
    expect(tested.err).toContain(`to have it once: ${again}`)
    // Seen to fail with nothing written where one file of several cannot be had.
    const html = join(folder, "t.html")
    const both = await finish("explain", trace, "--test", join(folder, "t.test.ts"), "--html", html)
    expect(both).toMatchObject({ code: 2, out: "" })
    expect(both.err).toContain(`the timeline is in ${html}\n`)
    expect(both.err).toContain("whose body no other file can import")
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>/)
    const byToken = await finish("replay", failure.token)
    expect(byToken.code).toBe(2)
    expect(byToken.err).toContain("the token is of a simulated test, whose runner makes its run again: set SIM_REPLAY=")
  })

  it("is not written in CI, unless it is asked for, to a file or a folder", async () => {
    const folder = inFolder()
    const { failure } = await failedIn(folder, { CI: "true" })

    expect(failure.trace).toBeNull()
    expect(existsSync(join(folder, "__sim__"))).toBe(false)
    const { trace } = await failedIn(folder, { CI: "true", SIM_TRACE: join(folder, "asked.jsonl") })
    expect(trace).toBe(join(folder, "asked.jsonl"))
    await failedIn(folder, { CI: "true", SIM_TRACE: `${folder}/` })
    expect(readdirSync(folder).filter((name) => /^some\.test\.[0-9a-f]{8}\.trace\.jsonl$/.test(name))).toHaveLength(1)
  })

  it("takes the place of an older one and of nothing else", async () => {
    const folder = inFolder()
    const place = join(folder, "notes.txt")
    writeFileSync(place, "mine")

    const failure = await failureOf(run({ corpus: false, runs: 200, trace: place }))
    expect(failure.message).toContain(`\nno trace: ${place} is there and no trace; it is left as it is\n`)
    expect(readFileSync(place, "utf8")).toBe("mine")
    const { trace } = await failedIn(folder)
    expect((await failedIn(folder)).trace).toBe(trace)
  })
})

describe("The trace of an exploration that failed", () => {
  it("goes where it is asked to go, and nowhere by default", async () => {
    const trace = join(inFolder(), "update.trace.jsonl")

    expect((await failureOf(explore({ runs: 200, trace: false }, lostUpdate))).trace).toBeNull()
    const failure = await failureOf(explore({ runs: 200, trace }, lostUpdate))
    expect(failure.trace).toBe(trace)
    expect(readTraceFile(trace).trace.end).toMatchObject({ token: failure.token })
    const { code, err } = await finish("replay", trace)
    expect(code).toBe(2)
    expect(err).toContain("names no module; give the module behind it")
  })
})
