import { describe, expect, it } from "vitest"
import { corpusStrategy } from "../../src/explore/corpus-strategy.ts"
import { checkGoals, exploreRuns } from "../../src/explore/explore-runs.ts"
import { NotDeterministic } from "../../src/explore/not-deterministic.ts"
import type { Outcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { swarmStrategy } from "../../src/explore/random-strategy.ts"
import { replayRun } from "../../src/explore/replay-run.ts"
import type { RunReport } from "../../src/explore/strategy.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"
import { actorProgram, beside, claims, retries } from "./actor-programs.ts"
import { fiveClients } from "./five-clients.ts"

const ok: Outcome = { type: "ok" }

const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  return null
}

/** Three operations at once; `more` acts in each. */
const threeOps =
  (more: (kernel: ReturnType<typeof makeSimKernel>, label: string) => void): Program<Outcome> =>
  (choice) => {
    const kernel = makeSimKernel({ choice })
    for (const label of ["a", "b", "c"]) {
      kernel.plan(1, { kind: "task", label, actor: label }, () => more(kernel, label))
    }
    while (kernel.step() !== null);
    return { type: "ok", hash: kernel.hash() }
  }

describe("An exploration", () => {
  it.each([
    ["a claim in two steps", actorProgram(beside(6, 20, claims())), "bug"],
    ["a retry that duplicates the work", actorProgram(beside(4, 15, retries(6))), "bug"],
    ["a timer that is slow", actorProgram(beside(8, 30, retries(24))), "bug"],
    ["an answer later than the timeout", fiveClients(), "executed twice"]
  ])("finds %s with the default strategy, shrinks it, and gives a token that shows it again", (_, run, signature) => {
    const { failure, stats } = exploreRuns({ run, seed: 1 })

    expect(failure).toMatchObject({ signature, shrunk: { isMinimal: true } })
    expect(stats.failures).toEqual({ [signature]: 1 })
    expect(failure?.shrunk?.nonCalm).toBeLessThanOrEqual(3)
    const replayed = replayRun({ run, token: failure?.token ?? "" })
    expect(replayed).toMatchObject({ outcome: { signature }, isSame: true })
  })

  it("finds nothing where the planted bug is mended, and says what it did", () => {
    const { failure, stats, coverage, isComplete } = exploreRuns({ run: fiveClients({ isFixed: true }), runs: 120 })

    expect(failure).toBeNull()
    expect(stats).toMatchObject({ runs: 120, cut: 0, failures: {} })
    expect(stats.distinct).toBeGreaterThan(100)
    expect(Object.keys(stats.strategies)).toEqual(["calm", "random", "pct", "swarm", "pos", "corpus", "delay"])
    expect(coverage).toEqual(["executed 1"])
    expect(isComplete).toBe(false)
  })

  it("gives a promise when the program does, and finds the same", async () => {
    const run = fiveClients()
    const options = { seed: 4, checkShare: 1 }
    const atOnce = exploreRuns({ run, ...options })
    const later = await exploreRuns({ run: async (...args: Parameters<typeof run>) => run(...args), ...options })

    expect(later).toEqual(atOnce)
  })

  it("takes what a program throws for a failure, whose signature minds no numbers", async () => {
    const run = (choice: Parameters<Program>[0]): Outcome => {
      const id = choice.draw(90, "id/x")
      if (id > 0) throw new TypeError(`call ${id} was lost after ${id * 1.5} ms`)
      return ok
    }
    const { failure } = exploreRuns({ run })
    const later = await exploreRuns({ run: async (choice) => run(choice) })

    expect(failure?.signature).toBe("TypeError: call # was lost after # ms")
    expect(failure?.shrunk).toMatchObject({ lists: { id: [1] }, message: "call 1 was lost after 1.5 ms" })
    expect(later.failure).toEqual(failure)
  })

  it("tries choices that failed before first", () => {
    const { failure, stats } = exploreRuns({ run: fiveClients(), first: [{}, { "net/c3": [4] }] })

    expect(failure).toMatchObject({ index: 1, by: "first", shrunk: { lists: { "net/c3": [4] } } })
    expect(stats.runs).toBe(2)
  })

  it("ends when its budget is spent, and tells of every run", () => {
    let asked = 0
    const reports: Array<RunReport> = []
    const run = fiveClients({ isFixed: true })
    const { stats } = exploreRuns({ run, isOver: () => ++asked > 25, onRun: (report) => reports.push(report) })

    expect(stats.runs).toBe(25)
    expect(reports.map(({ index }) => index)).toEqual(Array.from({ length: 25 }, (_, index) => index))
  })

  it("goes on after a failure when told to, and counts", () => {
    const { stats, failure } = exploreRuns({ run: fiveClients(), runs: 50, goesOn: true })

    expect(stats.runs).toBe(50)
    expect(stats.failures["executed twice"]).toBeGreaterThan(10)
    expect(failure?.signature).toBe("executed twice")
  })

  it("gives the same seed in every run, and tells goals that no run reached", () => {
    const seeds = new Set<number>()
    const exploration = exploreRuns({
      run: (choice, { seed, sometimes }) => {
        seeds.add(seed)
        sometimes("late", choice.draw(2, "net/late") === 1)
        sometimes("never", false)
        return ok
      },
      goals: ["declared"],
      seed: 77,
      runs: 20
    })

    expect([...seeds]).toEqual([77])
    expect(exploration.goals["late"]).toBeGreaterThan(0)
    expect(exploration.goalsMissed).toEqual(["declared", "never"])
    expect(() => checkGoals(exploration)).toThrow("20 runs never reached:\n  declared\n  never")
    expect(() => checkGoals({ ...exploration, goalsMissed: [] })).not.toThrow()
  })

  it("learns from what runs reach: a mutation gets through a long row of doors that chance does not", () => {
    const doors = 8
    const run: Program<Outcome> = (choice, { cover }) => {
      for (let door = 0; door < doors; door++) {
        if (choice.draw(6, "walk/door") !== 5) return ok
        cover(`door ${door}`)
      }
      return { type: "failed", signature: "through", message: "through" }
    }
    const runs = 1_000
    const { coverage } = exploreRuns({ run, strategy: swarmStrategy(), runs })
    const { failure } = exploreRuns({ run, strategy: corpusStrategy(), runs })

    expect(coverage.length).toBeLessThan(doors)
    expect(failure).toMatchObject({ by: "corpus" })
  })
})

describe("The self-check of an exploration", () => {
  it("names the first draw and the first step that differ when a run made twice is another one", () => {
    let runs = 0
    const run = threeOps((kernel, label) => {
      if (label === "b") kernel.choice.draw(2, runs++ === 0 ? "net/a" : "net/other")
      if (label === "b" && runs > 1) kernel.plan(0, { kind: "task", label: "hidden", actor: "x" }, () => {})
    })
    const error = thrownBy(() => exploreRuns({ run }))

    expect(error).toBeInstanceOf(NotDeterministic)
    expect(error).toMatchObject({
      _tag: "NotDeterministic",
      draw: { index: 2, first: { label: "net/a" }, second: { label: "net/other" } },
      step: { index: 2, first: { enabled: 1 }, second: { enabled: 2 } }
    })
    expect(String(error)).toContain("first draw that differs: 2: net/a 0 of 2, then net/other 0 of 2")
    expect(String(error)).toContain(
      "first step that differs: 2: c to c, due at 1 ms, one of 1, then c to c, due at 1 ms, one of 2"
    )
  })

  it("sees a difference that shows in the hash alone", () => {
    let runs = 0
    const run = threeOps((kernel, label) => label === "c" && kernel.note(`body ${runs++}`))

    expect(() => exploreRuns({ run })).toThrow(/first draw that differs: none\n.*differs: none\n {2}end: ok with hash/)
  })

  it("sees that a failure was no failure the second time, however few runs are checked", () => {
    let runs = 0
    const run: Program<Outcome> = () => (runs++ === 3 ? { type: "failed", signature: "flaky", message: "flaky" } : ok)

    expect(() => exploreRuns({ run, checkShare: 0 })).toThrow("end: flaky, then ok")
  })

  it("makes the share of runs twice that it is told", () => {
    const checked = (checkShare: number): number => exploreRuns({ run: () => ok, runs: 200, checkShare }).stats.checked

    expect([checked(0), checked(1)]).toEqual([0, 200])
    expect(checked(0.1)).toBeGreaterThan(10)
    expect(checked(0.1)).toBeLessThan(35)
  })
})
