import { describe, expect, it } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { explore, fuzz, replay, withSim } from "../../src/sim.ts"
import { run } from "./sim-tests.ts"

/** A law that finds nothing. */
const idle = { name: "mine", init: () => 0, on: () => 0 }

/** Options that are wrong, and what is said of them. */
const wrong: ReadonlyArray<readonly [options: object, said: string]> = [
  [{ windowMS: 4 }, 'there is no option "windowMS"; did you mean "windowMs"?'],
  [{ windowMs: -1 }, "windowMs is -1; give a number of milliseconds from 0"],
  [{ windowMs: Number.NaN }, "windowMs is NaN; give a number of milliseconds from 0"],
  [{ isUntimed: "yes" }, 'isUntimed is "yes"; give true or false'],
  [{ limits: { maxSteps: 5 } }, 'limits has no "maxSteps"; there are stepsMax, virtualMsMax'],
  [{ limits: { stepMax: 5 } }, 'limits has no "stepMax"; did you mean "stepsMax"?'],
  [{ limits: { stepsMax: 0 } }, "limits.stepsMax is 0; give a whole number from 1"],
  [{ network: { latency: 4 } }, 'network has no "latency"; there are latenciesMs'],
  [{ network: [] }, "network is []; give an object"],
  [{ network: { latenciesMs: [] } }, "network.latenciesMs has 0 entries; give at least 1"],
  [{ network: { latenciesMs: [1, "2"] } }, 'network.latenciesMs[1] is "2"; give a number of milliseconds from 0'],
  [{ network: { faults: { rst: 2 } } }, "network.faults.rst is 2; give a number from 0 to 0.5"],
  [{ network: { faults: { lostconnect: 0.1 } } }, 'network.faults has no "lostconnect"; did you mean "lostConnect"?'],
  [{ network: { timeouts: { bodyMs: Number.POSITIVE_INFINITY } } }, "network.timeouts.bodyMs is Infinity"],
  [{ allow: ["fss"] }, 'allow[0] is "fss"; did you mean "fs"?'],
  [
    { judge: { retries: { retriesMax: 1 }, canselMsMax: 1 } },
    'judge has no "canselMsMax"; did you mean "cancelMsMax"?'
  ],
  [{ judge: { resources: "none" } }, 'judge.resources is "none"; give a list'],
  [{ judge: { resources: ["timers"] } }, 'judge.resources[0] is "timers"; did you mean "timer"?'],
  [{ judge: { tools: { within: "runs" } } }, 'judge.tools.within is "runs"; did you mean "run"?'],
  [{ judge: { oracles: [{ name: "mine", init: () => 0 }] } }, "judge.oracles[0].on is undefined; give a function"],
  [{ judge: { oracles: [{ ...idle, fails: () => "no" }] } }, 'judge.oracles[0] has no "fails"; did you mean "fail"?'],
  [
    { judge: { oracles: [{ ...idle, check: () => "no" }] } },
    'judge.oracles[0] has no "check"; there are name, init, on'
  ],
  [{ judge: { oracles: [{ ...idle, hot: [] }] } }, "judge.oracles[0].hot is []; give a function"],
  [
    { judge: { goals: [{ label: "x", init: () => 0, reached: () => true }] } },
    'judge.goals[0] has no "reached"; did you mean "isReached"?'
  ],
  [{ judge: { retries: 4 } }, "judge.retries is 4; give an object with retriesMax, toleranceMs"],
  [{ judge: { retries: {} } }, "judge.retries.retriesMax is undefined; give a whole number"],
  [{ oracles: [] }, 'there is no option "oracles"; did you mean "judge.oracles"?'],
  [{ faults: {} }, 'there is no option "faults"; did you mean "network.faults"?'],
  [{ stepsMax: 5 }, 'there is no option "stepsMax"; did you mean "limits.stepsMax"?'],
  [{ seed: -5 }, "seed is -5; give a whole number from 0 to 4294967295"],
  [{ seed: 1.5 }, "seed is 1.5; give a whole number"]
]

/** Such as only campaigns have. */
const wrongOfCampaigns: typeof wrong = [
  [{ runs: 0 }, "runs is 0; give a whole number from 1 to 1000000"],
  [{ runs: Number.NaN }, "runs is NaN; give a whole number"],
  [{ run: 3 }, 'there is no option "run"; did you mean "runs"?'],
  [{ strategy: "pcr" }, 'strategy is "pcr"; did you mean "pct"?'],
  [{ strategy: "quantum" }, 'strategy is "quantum"; give one of portfolio, random'],
  [{ budgetMs: "1s" }, 'budgetMs is "1s"; give a number of milliseconds from 0'],
  [{ goals: "one" }, 'goals is "one"; give a list'],
  [{ trace: 7 }, "trace is no path; give one, or false"],
  [{ checkShare: 2 }, "checkShare is 2; give a number from 0 to 1"],
  [{ first: [{ schedule: [1, -2] }] }, "first[0].schedule[1] is -2; give a whole number"]
]

const entries: ReadonlyArray<readonly [name: string, start: (options: object, body: () => void) => Promise<unknown>]> =
  [
    ["withSim", (options, body) => withSim(options, body)],
    ["explore", (options, body) => explore(options, body)],
    ["replay", (options, body) => replay("us1.0.-.seeded.0", options, body)],
    ["simTest", (options, body) => run({ corpus: false, ...options }, {}, { body })]
  ]

describe.each(entries)("The options of %s", (name, start) => {
  const asked = name === "withSim" ? wrong : [...wrong, ...wrongOfCampaigns]

  // Seen to fail, and to go on for ever, without the check.
  it.each(asked)("are checked before anything runs: %o", async (options, said) => {
    let runs = 0
    const starting = start(options, () => void runs++)

    await expect(starting).rejects.toMatchObject({ _tag: "InvalidOption" })
    await expect(starting).rejects.toThrow(`${name}: ${said}`)
    expect(runs).toBe(0)
  })
})

describe("What else a run is made of", () => {
  it("is no number of workers, for they need a module", async () => {
    const options: object = { workers: 2 }
    await expect(explore(options, () => {})).rejects.toThrow(
      "explore: workers is no option here, for several need a module that they load: exploreModule(FILE, { workers: N }), or npx " +
        "llm-understudy explore FILE --workers N"
    )
    await expect(run({ corpus: false, ...options })).rejects.toThrow("exploreModule(FILE, { workers: N })")
    await expect(fuzz(() => async () => "", {}, options)).rejects.toThrow("exploreModule(FILE, { workers: N })")
  })

  it("is checked too", async () => {
    // @ts-expect-error A body is a function.
    await expect(explore({}, null)).rejects.toThrow("explore: the body is null; give a function of the simulated world")
    // @ts-expect-error Options are an object.
    await expect(withSim(null, () => {})).rejects.toThrow("withSim: the options are null; give an object")
    // @ts-expect-error A run follows from a seed or from choices.
    await expect(withSim({ seed: 1, choice: {} }, () => {})).rejects.toThrow("both seed and choice are given")
    await expect(withSim({ choice: { schedule: [0.5] } }, () => {})).rejects.toThrow("choice.schedule[0] is 0.5")
  })

  it("may be laws that a class makes, with members of their own", async () => {
    class Law {
      readonly name = "mine"
      readonly seen = new Set<string>()
      init() {
        return 0
      }
      on() {
        return 0
      }
    }
    expect(await withSim({ judge: { oracles: [new Law()] } }, () => 1)).toBe(1)
    const wrong = Object.assign(new Law(), { fails: () => "no" })
    await expect(withSim({ judge: { oracles: [wrong] } }, () => 1)).rejects.toThrow('did you mean "fail"?')
  })

  it("also where the environment gives it", async () => {
    await expect(run({ corpus: false }, { SIM_RUNS: "many" })).rejects.toThrow(
      'SIM_RUNS is "many"; give a whole number'
    )
    await expect(run({ corpus: false }, { SIM_SEED: "-1" })).rejects.toThrow('SIM_SEED is "-1"; give a whole number')
    await expect(run({ corpus: false }, { SIM_CHECK: "2" })).rejects.toThrow(
      'SIM_CHECK is "2"; give a number from 0 to 1'
    )
  })

  it("may be left out, also by the word undefined", async () => {
    const faults = { rst: undefined }
    const options: object = { network: { faults }, judge: undefined, windowMs: undefined, choice: undefined }
    expect(await withSim(options, () => 1)).toBe(1)
  })

  it("a time that is no number is now, for those who plan", async () => {
    const planned = { kind: "timer", label: "x", actor: "test" } as const
    const passed = await withSim({}, async (sim) => {
      await new Promise<void>((resolve) => {
        sim.ports.plan(Number.NaN, planned, resolve)
      })
      return sim.now()
    })
    expect(passed).toBe(0)
  })
})

// Seen to fail with answers that were handed on: 99 for `draw(3)`.
describe("A source of choices of somebody's own", () => {
  const first: SimProgram = (sim) => sim.choice.draw(3, "pick")
  const says = (answer: number) => withSim({ choice: { draw: () => answer } }, first)

  it("gives answers that are possible", async () => {
    expect(await says(2)).toBe(2)
    for (const answer of [99, 3, -1, 0.5, Number.NaN]) {
      const answered = says(answer)
      await expect(answered).rejects.toMatchObject({ _tag: "InvalidOption" })
      await expect(answered).rejects.toThrow(
        `choice answered ${answer} to the draw "test/pick" of 3; give a whole number from 0 to 2`
      )
    }
  })

  it("is refused also where the run catches what the draw throws", async () => {
    const deaf = withSim({ choice: { draw: () => 7 } }, (sim) => {
      try {
        sim.choice.draw(3, "pick")
      } catch {}
    })
    await expect(deaf).rejects.toThrow("choice answered 7")
  })
})
