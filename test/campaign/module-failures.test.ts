import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readTraceFile } from "../../src/campaign/run-trace-file.ts"
import type { OpenSimWorker } from "../../src/campaign/sim-worker.ts"
import { finish } from "../cli/fake-io.ts"
import { programs } from "../cli/program-fixtures.ts"
import { exploreIn, lostUpdates, openHere, search } from "./module-searches.ts"
import { failureOf, inFolder } from "./sim-tests.ts"

describe("A failure of a module", () => {
  it("is kept beside it, made small, with its trace, and tried first", async () => {
    const folder = inFolder()
    const module = lostUpdates(folder)
    const options = { only: "an update", workers: 2 }
    const found = await failureOf(exploreIn(module, options))

    const kept = join(folder, "__sim__/updates.json")
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({ "an update": [found.token] })
    expect(found.trace).toMatch(/__sim__\/updates\.[0-9a-f]{8}\.trace\.jsonl$/)
    expect(found.message).toContain(`\nnpx llm-understudy explain ${found.trace} shows the run;`)
    expect(readTraceFile(found.trace ?? "").trace).toMatchObject({
      header: { title: "an update", options: { module: "../updates.mjs", program: "lost", isShrunk: true } },
      end: { type: "failed", token: found.token }
    })
    // What the command can do with a trace of its own.
    const again = await finish("replay", found.trace ?? "")
    expect(again.code).toBe(1)
    expect(JSON.parse(again.out)).toMatchObject({ outcome: "failed", isSame: true })

    const before = await failureOf(exploreIn(module, options))
    expect(before.message).toContain("failed before, and fails again when it is tried first (seed 0)")
    expect(before.token).toBe(found.token)
  })

  it("is kept nowhere in CI, and where the options and SIM_TRACE say", async () => {
    const folder = inFolder()
    const module = lostUpdates(folder)
    const env = { CI: "true" }
    const own = { corpus: join(folder, "own.json"), trace: join(folder, "own.trace.jsonl") }

    expect((await failureOf(exploreIn(module, {}, { env }))).trace).toBeNull()
    expect(existsSync(join(folder, "__sim__"))).toBe(false)
    expect((await failureOf(exploreIn(module, {}, { env: { ...env, SIM_TRACE: `${folder}/t/` } }))).trace).toContain(
      "/t/"
    )
    expect((await failureOf(exploreIn(module, own))).trace).toBe(own.trace)
    expect(readdirSync(folder).sort()).toEqual(["own.json", "own.trace.jsonl", "t", "updates.mjs"])
  })

  it("that no longer applies is said, and one that is mended is silent", async () => {
    const folder = inFolder()
    const module = join(folder, "m.mjs")
    const said: Array<string> = []
    writeFileSync(module, 'export const p = { options: { runs: 3 }, run: (sim) => sim.choice.draw(2, "a/new") }\n')
    const { token: other } = await failureOf(search(programs("rare.mjs"), { strategy: "random" }))
    const corpus = join(folder, "kept.json")
    writeFileSync(corpus, JSON.stringify({ p: [other] }))

    await search(module, { corpus, workers: 2 }, { said })

    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(
      /^p: 1 of 1 kept failures no longer apply, and show nothing: us1\..*; they are in .*kept\.json$/
    )
    writeFileSync(corpus, "{")
    await search(module, { corpus }, { said })
    expect(said[1]).toContain("m.mjs: no failure is tried again: ")
  })

  it("is made again by SIM_REPLAY before the search, and by no token of a simulated test", async () => {
    const module = programs("rare.mjs")
    const { token } = await failureOf(search(module, { strategy: "random" }))
    const env = { SIM_REPLAY: token }

    const replayed = await failureOf(search(module, { runs: 1 }, { env }))
    expect(replayed.message).toMatch(
      /^the one in forty\n1 choice is not calm: step 1, 1 ms: test\/answer was 17 of 0 to 39\n/
    )
    expect(replayed.token).toBe(token)
    expect(await search(programs("several.mjs"), { only: "calm", runs: 2 }, { env })).toMatchObject([
      { stats: { runs: 2 } }
    ])
    await expect(search(module, {}, { env: { SIM_REPLAY: "us1.x" } })).rejects.toMatchObject({ _tag: "InvalidToken" })
  })

  it("is told also where its run cannot be made again", async () => {
    const refusing: OpenSimWorker = (seat) => ({
      ...openHere(seat),
      replay: () => Promise.reject(new Error("the thread is gone"))
    })

    const failure = await failureOf(search(programs("rare.mjs"), { strategy: "random" }, { open: refusing }))

    expect(failure.message).toMatch(
      /^the one in forty\nfound in run 22 .*\nSIM_REPLAY='us1.*\n.*\nnot made small: the thread is gone$/
    )
  })
})
