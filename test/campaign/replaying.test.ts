import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { makeReplayTaker } from "../../src/campaign/replay-taker.ts"
import { registerSimTest } from "../../src/campaign/sim-test.ts"
import { decodeToken, testMark } from "../../src/explore/replay-token.ts"
import { explore, RunDiverged, replay } from "../../src/sim.ts"
import { failureOf, inFolder, run } from "./sim-tests.ts"

/** Fails when the third answer is drawn under `label`, unless it is mended. */
const picky =
  (label: string, { answers = 3, isMended = false } = {}): SimProgram =>
  (sim) => {
    sim.choice.draw(2, "first/calm")
    if (sim.choice.draw(answers, label) === 2 && !isMended) throw new Error("the third answer")
    if (isMended) sim.choice.draw(5, "more/work")
  }

const tokenOf = async (body: SimProgram): Promise<string> => (await failureOf(explore({ runs: 50 }, body))).token

// Seen to fail with a replay that passes whatever run it made.
describe("A token that is given to another program", () => {
  it("fails where the bug is still there under another label, and names the draw", async () => {
    const token = await tokenOf(picky("alpha/pick"))

    const replayed = replay(token, {}, picky("beta/pick"))
    await expect(replayed).rejects.toThrow(RunDiverged)
    await expect(replayed).rejects.toThrow(
      "the first draw that differs is 1: asked test/beta/pick of 3; nothing asked for test/alpha takes 2 at 0"
    )
  })

  it("fails where the answer is no longer possible, or nothing is asked", async () => {
    const token = await tokenOf(picky("alpha/pick"))

    await expect(replay(token, {}, picky("alpha/pick", { answers: 2 }))).rejects.toThrow(
      "the first draw that differs is 1: asked test/alpha/pick of 2"
    )
    await expect(replay(token, {}, async () => {})).rejects.toThrow("it ended at draw 0")
  })

  it("passes when its choices were made and the failure is mended, whatever comes after them", async () => {
    const token = await tokenOf(picky("alpha/pick"))

    await expect(replay(token, {}, picky("alpha/pick", { isMended: true }))).resolves.toBeUndefined()
  })

  it("tells a failure that is still there, and that it is not quite the run", async () => {
    const token = await tokenOf(picky("alpha/pick"))

    const failure = await failureOf(replay(token, {}, picky("alpha/choose")))
    expect(failure.message).toMatch(/^the third answer\n/)
    expect(failure.message).toContain("\nnot quite the run of the token: the first draw that differs is 1")
  })
})

it("What is no text is no token", async () => {
  // @ts-expect-error A token is a text.
  await expect(replay(undefined, {}, () => {})).rejects.toThrow("no replay token: it is undefined. A token is")
})

describe("A kept failure", () => {
  it("is tried under the seed that it was found with", async () => {
    const corpus = join(inFolder(), "some.test.json")
    const seeds: Array<number> = []
    const body: SimProgram = (sim) => {
      seeds.push(sim.seed)
      if (sim.choice.draw(3, "a/pick") === 2 && sim.seed === 4) throw new Error("only under seed 4")
    }
    await failureOf(run({ corpus, runs: 50, seed: 4 }, {}, { body }))
    seeds.length = 0

    const again = await failureOf(run({ corpus, runs: 1, seed: 1 }, {}, { body }))
    expect(seeds[0]).toBe(4)
    expect(again.message).toContain(
      "only under seed 4\nfailed before, and fails again when it is tried first (seed 4);"
    )
    expect(decodeToken(again.token).seed).toBe(4)
  })

  it("that no longer applies is said, and is no failure", async () => {
    const corpus = join(inFolder(), "some.test.json")
    const { token } = await failureOf(run({ corpus, runs: 50 }, {}, { body: picky("alpha/pick") }))
    const told: Array<string> = []
    const say = (text: string): void => void told.push(text)

    await run({ corpus, runs: 5 }, {}, { body: picky("alpha/pick", { isMended: true }), say })
    expect(told).toEqual([])
    await run({ corpus, runs: 1 }, {}, { body: picky("beta/pick"), say })
    expect(told).toEqual([
      `an update: 1 of 1 kept failures no longer apply, and show nothing: ${token} (the first draw that differs is 1: asked ` +
        `test/beta/pick of 3; nothing asked for test/alpha takes 2 at 0); they are in ${corpus}`
    ])
  })

  it("may stand in the source, as a token", async () => {
    const token = await tokenOf(picky("alpha/pick"))

    const failure = await failureOf(explore({ runs: 1, first: [token] }, picky("alpha/pick")))
    expect(failure.message).toContain(
      "the third answer\nfailed before, and fails again when it is tried first (seed 0);"
    )
    await expect(explore({ first: ["us1.nonsense"] }, () => {})).rejects.toThrow("no replay token")
  })

  it("of a file that somebody broke is left out", async () => {
    const corpus = join(inFolder(), "some.test.json")
    writeFileSync(corpus, JSON.stringify({ "an update": ["us1.nonsense", 7] }))

    await run({ corpus, runs: 3 }, {}, { body: () => {} })
    expect(JSON.parse(readFileSync(corpus, "utf8"))).toEqual({ "an update": ["us1.nonsense", 7] })
  })
})

describe("A token in the environment", () => {
  /** Registers tests with a runner that only notes in which form they come. */
  const formsWith = (token: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
    const forms: Array<string> = []
    const noted = (form: string) => (name: unknown) => void forms.push(`${form} ${String(name)}`)
    Reflect.set(globalThis, "test", Object.assign(noted("run"), { skip: noted("skip") }))
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "test"))
    for (const name of names) {
      registerSimTest(name, {}, () => {}, {
        form: "run",
        runSync: Effect.runSync,
        testFile: null,
        now: () => 0,
        env: { SIM_REPLAY: token },
        say: () => {}
      })
    }
    return forms
  }

  it("is marked with its test, and the other tests are skipped", async () => {
    const { token } = await failureOf(run({ corpus: false, runs: 50 }, {}, { body: picky("alpha/pick") }))

    expect(decodeToken(token).test).toBe(testMark("an update"))
    expect(formsWith(token, ["an update", "another"])).toEqual(["run an update", "skip another"])
  })

  it("without a mark was found by explore or fuzz, and one that cannot be read is every test's business", async () => {
    const token = await tokenOf(picky("alpha/pick"))

    expect(formsWith(token, ["an update", "another"])).toEqual(["skip an update", "skip another"])
    expect(formsWith("us1.nonsense", ["an update"])).toEqual(["run an update"])
    await expect(run({ corpus: false }, { SIM_REPLAY: token }, { body: picky("beta/pick") })).rejects.toThrow(
      RunDiverged
    )
  })

  // Under test runners: test/runners.
  it("that no test takes is said at the end, once for all files, or for one of them", () => {
    const told: Array<string> = []
    const atEnd: Array<() => void> = []
    let isFirst = true
    const taker = makeReplayTaker(
      (text) => void told.push(text),
      (work) => void atEnd.push(work),
      () => isFirst
    )
    const end = (): void => {
      for (const work of atEnd) work()
    }

    end()
    expect(taker.offer({ file: "a.test.ts", takes: false, isTokenOfTest: true })).toBe(true)
    expect(taker.offer({ file: "a.test.ts", takes: false, isTokenOfTest: true })).toBe(false)
    expect(taker.offer({ file: "b.test.ts", takes: false, isTokenOfTest: true })).toBe(true)
    end()
    expect(told).toEqual([
      expect.stringContaining("no test takes the token: none of the simulated tests in a.test.ts, b.test.ts (3) has")
    ])
    taker.offer({ file: "b.test.ts", takes: true, isTokenOfTest: true })
    taker.fileEnded("b.test.ts")
    end()
    expect(told).toHaveLength(1)
    taker.fileEnded("a.test.ts")
    expect(told[1]).toContain("in a.test.ts (2) has the name of its test")
    isFirst = false
    taker.fileEnded("a.test.ts")
    expect(told).toHaveLength(2)
  })

  // Seen to say that no test takes it, although a search had made its run.
  it("of a search is no simulated test's, which is said of those that are skipped", () => {
    const told: Array<string> = []
    const taker = makeReplayTaker(
      (text) => void told.push(text),
      null,
      () => true
    )
    taker.offer({ file: "a.test.ts", takes: false, isTokenOfTest: false })
    taker.fileEnded("a.test.ts")

    expect(told).toEqual([
      "SIM_REPLAY: the token is one of explore, exploreModule or fuzz, which try it first; the simulated tests in a.test.ts (1) are skipped"
    ])
  })
})
