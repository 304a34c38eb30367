import { describe, expect, test } from "vitest"
import type { Crew } from "../../src/campaign/module-crew.ts"
import { planSearch, search } from "../../src/campaign/module-search.ts"
import type { ProgramInfo, ShareResult, SimWorker } from "../../src/campaign/sim-worker.ts"
import { makeStopBoard } from "../../src/campaign/stop-board.ts"

const program: ProgramInfo = {
  name: "p",
  exportName: "p",
  seed: 4,
  strategy: "portfolio",
  runs: 50,
  budgetMs: null,
  shrinkRunsMax: 400,
  goesOn: false,
  isUntimed: false,
  problem: null
}

const unasked = { seed: null, strategy: null, workers: 1, runs: null, budgetMs: null }

const now = () => 0

const shareWith = (run: number | null): ShareResult => ({
  stats: { runs: 1, cut: 0, failures: {}, checked: 0, distinct: 1, draws: 0, picks: 0, pairs: 0, strategies: {} },
  hashes: [],
  coverage: [],
  goals: {},
  isComplete: false,
  outdated: [],
  failure: run === null ? null : { run, by: "random", signature: "E", message: "m", token: "t" }
})

/** A crew whose workers end when the test says so. */
const scripted = (workers: number) => {
  const board = makeStopBoard()
  const ends = Array.from({ length: workers }, () => {
    let resolve = (_: ShareResult): void => {}
    let reject = (_: Error): void => {}
    const promise = new Promise<ShareResult>((yes, no) => {
      resolve = yes
      reject = no
    })
    return { promise, resolve, reject }
  })
  const none = (): never => {
    throw new Error("nobody asks for it")
  }
  const crew: Crew = {
    board,
    stopped: new Promise(() => {}),
    worker: (index): SimWorker => ({
      programs: none,
      explore: () => ends[index]?.promise ?? none(),
      replay: none,
      shrink: none,
      close: async () => {}
    }),
    close: async () => {}
  }
  return { board, crew, ends }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("a search that workers share", () => {
  test("goes on to the runs before a failing one, and takes the failure with the lowest number", async () => {
    const { board, crew, ends } = scripted(2)
    const plan = planSearch(program, { ...unasked, workers: 2 })
    const searching = search(plan, { crew, now })

    ends[1]?.resolve(shareWith(9))
    await settled()
    expect(board.limitNow()).toBe(9)
    ends[0]?.resolve(shareWith(4))

    expect((await searching).failure?.run).toBe(4)
    expect(board.limitNow()).toBe(4)
  })

  test("stops all when one of them cannot go on, and says which", async () => {
    const { board, crew, ends } = scripted(2)
    const searching = search(planSearch(program, { ...unasked, workers: 2 }), { crew, now })

    ends[1]?.reject(new Error("broken"))
    await settled()
    expect(board.limitNow()).toBe(0)
    ends[0]?.resolve(shareWith(null))

    expect((await searching).trouble).toMatchObject({ tag: "Error", message: "worker 2 of 2: broken" })
  })
})

describe("the plan of a search", () => {
  // Seen to fail with a budget of a module that nobody looks at.
  test("takes the budget of the module, unless the command line gives one or a number of runs", () => {
    const timed = { ...program, budgetMs: 2_000 }

    expect(planSearch(timed, unasked)).toMatchObject({ budgetMs: 2_000, runs: 50, isCounted: false })
    expect(planSearch({ ...timed, runs: null }, unasked)).toMatchObject({ budgetMs: 2_000, runs: 1_000_000 })
    expect(planSearch(timed, { ...unasked, budgetMs: 500 })).toMatchObject({ budgetMs: 500, runs: 1_000_000 })
    expect(planSearch(timed, { ...unasked, runs: 7 })).toMatchObject({ budgetMs: null, runs: 7, isCounted: true })
  })

  test("takes what the module says where nothing was asked", () => {
    expect(planSearch(program, unasked)).toMatchObject({ seed: 4, strategy: "portfolio", runs: 50, isCounted: true })
    expect(planSearch({ ...program, runs: null }, unasked)).toMatchObject({ runs: 300 })
  })

  test("takes what was asked before it, and time for a limit when there is a budget", () => {
    const asked = { ...unasked, seed: 7, strategy: "pct", runs: 5, workers: 8 } as const
    expect(planSearch(program, asked)).toMatchObject({ seed: 7, strategy: "pct", runs: 5, workers: 5 })
    expect(planSearch(program, { ...unasked, budgetMs: 10 })).toMatchObject({ runs: 1_000_000, isCounted: false })
  })

  test("gives a strategy that goes from run to run one worker", () => {
    expect(planSearch({ ...program, strategy: "dfs" }, { ...unasked, workers: 4 })).toMatchObject({ workers: 1 })
  })
})
