import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { exploreModule } from "../../src/sim.ts"
import { programs } from "../cli/program-fixtures.ts"
import { lostUpdates, search } from "./module-searches.ts"
import { failureOf, inFolder } from "./sim-tests.ts"

/* What the search of a module does beside its threads: its workers are in this one. */

describe("The search of a module", () => {
  it.each(["random", "swarm"] as const)("finds the same failure with any number of workers (%s)", async (strategy) => {
    const found = new Set<string>()
    for (const workers of [1, 2, 3, 5]) {
      const { message, token } = await failureOf(search(programs("rare.mjs"), { strategy, workers, seed: 11 }))
      expect(message).toMatch(
        /^the one in forty\nfound in run \d+ of seed 11; 1 choice is not calm: step 1, 1 ms: test\/answer was 17 of 0 to 39\n/
      )
      found.add(`${token} ${message}`)
    }

    expect(found.size).toBe(1)
  })

  // Seen to fail with a first worker that makes all of what is tried first.
  it("makes run number k the same with any number of workers, what is tried first among them", async () => {
    const module = join(inFolder(), "half.mjs")
    writeFileSync(
      module,
      'export const half = { run: (sim) => { if (sim.choice.draw(2, "a/b")) throw new Error("one") } }\n'
    )
    const first = [{}, {}, {}]
    for (const seed of [0, 1, 2, 3, 4]) {
      const found = new Set<string>()
      for (const workers of [1, 2, 3]) {
        found.add((await failureOf(search(module, { strategy: "random", workers, seed, first }))).message)
      }
      expect(found.size).toBe(1)
    }
  })

  it("gives what each program came to, one after the other", async () => {
    const said: Array<string> = []
    const folder = inFolder()
    const url = pathToFileURL(lostUpdates(folder))

    for (const module of [url, url.href, join(folder, "updates.mjs")]) {
      const [one, ...others] = await search(module, { only: "counts", workers: 2, goals: [] }, { said })
      expect(others).toEqual([])
      expect(one).toMatchObject({
        program: "counts",
        stats: { runs: 8, failures: {} },
        goalsMissed: [],
        isComplete: false
      })
    }
    expect(said).toEqual([])
    const together = await search(programs("together.mjs"), { only: "calm", workers: 3 })
    expect(together).toMatchObject([{ stats: { runs: 2 }, isComplete: true, coverage: ["ann,bob", "bob,ann"] }])
  })

  it("tells a failure as explore does, and of which program of which module it is", async () => {
    const failure = await failureOf(search(programs("racing.mjs"), { workers: 2 }))

    expect(failure.message).toMatch(
      /^sold 2 of 1 <things> & "more"\nfound in run \d+ of seed 0; 1 choice is not calm: .*\nSIM_REPLAY='us1\..*'\nthe program "racing" of test\/cli\/fixtures\/racing\.mjs\n\nsequenceDiagram\n/
    )
    expect(failure).toMatchObject({ _tag: "SimFailed", trace: null })
    expect(failure.cause).toMatchObject({ name: "Error", message: 'sold 2 of 1 <things> & "more"' })
    expect(String(failure.cause instanceof Error && failure.cause.stack)).toContain("racing.mjs")
  })

  it("ends with the first program that fails, or that reached no goal, and names it", async () => {
    const folder = inFolder()

    expect((await failureOf(search(lostUpdates(folder)))).message).toContain('the program "an update" of ')
    const goals = search(programs("several.mjs"), { only: "goals", goals: ["the sky"] })
    await expect(goals).rejects.toMatchObject({ _tag: "GoalsMissed", goals: ["the moon", "the sky"] })
    await expect(goals).rejects.toThrow('goals: 5 runs never reached:\n  the moon\n  the sky\nThey reached "the sea"\n')
    await expect(search(programs("unsteady.mjs"), { workers: 3 })).rejects.toMatchObject({ _tag: "NotDeterministic" })
  })

  it("divides a budget among the programs, each of which makes one run at least", async () => {
    const module = join(inFolder(), "two.mjs")
    writeFileSync(
      module,
      "export const a = { run: (sim) => sim.sleep(1) }\nexport const b = { run: (sim) => sim.sleep(1) }\n"
    )

    const [a, b] = await search(module, { budgetMs: 1, workers: 2 })

    expect(a?.stats.runs).toBeGreaterThan(0)
    expect(b?.stats.runs).toBeGreaterThan(0)
  })
})

describe("What is asked of a search", () => {
  it.each([
    [{ workers: 0 }, "workers is 0; give a whole number from 1 to 64"],
    [{ workers: 65 }, "workers is 65; give a whole number"],
    [{ worker: 2 }, 'there is no option "worker"; did you mean "workers"?'],
    [{ runs: 0 }, "runs is 0; give a whole number from 1"],
    [{ strategy: "pcr" }, 'strategy is "pcr"; did you mean "pct"?'],
    [{ strategy: "dfs", workers: 2 }, "strategy dfs goes from one run to the next and cannot be shared"],
    [{ only: "" }, 'only is ""; give a text'],
    [{ seed: -1 }, "seed is -1; give a whole number from 0"],
    [{ execArgv: "--import tsx" }, 'execArgv is "--import tsx"; give a list'],
    [{ signal: true }, "signal is true; give an object"],
    [{ corpus: 3 }, "corpus is no path; give one, or false"]
  ])("is checked before anything runs: %o", async (options: object, said) => {
    const searching = exploreModule(programs("several.mjs"), options)

    await expect(searching).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(searching).rejects.toThrow(`exploreModule: ${said}`)
  })

  it("is a module that can be had", async () => {
    await expect(search("")).rejects.toThrow('exploreModule: the module is ""; give a path, or the URL of a file')
    await expect(search(new URL("http://127.0.0.1/race.mjs"))).rejects.toThrow(
      "the module is http://127.0.0.1/race.mjs;"
    )
    // @ts-expect-error A module is a path or a URL.
    await expect(search(() => {})).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(search(programs("racin.mjs"))).rejects.toThrow('did you mean "racing.mjs"?')
    await expect(search(programs("several.mjs"), { only: "clam" })).rejects.toThrow('did you mean "calm"?')
    await expect(search(programs("nothing.mjs"))).rejects.toMatchObject({ _tag: "ModuleRefused" })
    await expect(search(programs("rare.mjs"), { first: ["us1.x"] })).rejects.toMatchObject({ _tag: "InvalidToken" })
  })
})
