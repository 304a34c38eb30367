import { describe, expect, it } from "vitest"
import { drawCheckOf } from "../../src/explore/draw-check.ts"
import type { Outcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { replayRun } from "../../src/explore/replay-run.ts"
import { decodeToken, encodeToken, InvalidToken, testMark } from "../../src/explore/replay-token.ts"
import { listsOf } from "../../src/kernel/choice-forks.ts"
import { derive } from "../../src/kernel/derive-seed.ts"

const token = encodeToken({
  seed: 7,
  lists: { schedule: [2, 0, 0, 0, 0, 1], "net/c1": [10] },
  hash: "00ff00ff00ff00ff"
})

const thrownBy = (text: string): unknown => {
  try {
    return decodeToken(text)
  } catch (error) {
    return error
  }
}

describe("A replay token", () => {
  it("is one word that a shell takes as it is, with rows of calm choices counted", () => {
    expect(token).toMatch(/^us1\.7\.00ff00ff00ff00ff\.net\/c1=10\.schedule=2,z4,1\.[0-9a-z]+$/)
    expect(encodeToken({ seed: 7, lists: null, hash: null })).toMatch(/^us1\.7\.-\.seeded\.[0-9a-z]+$/)
  })

  it("is read back, also with spaces around it and odd names in it", () => {
    const odd = {
      seed: 2 ** 32 - 1,
      lists: { "a.b=c/é✓ %": [1], __proto__: [2], "": [3], "\ud800": [0, 4] },
      hash: null,
      test: testMark("a test of odd names"),
      check: "2-_-"
    }

    expect(decodeToken(` ${token}\n`)).toEqual({
      seed: 7,
      lists: { schedule: [2, 0, 0, 0, 0, 1], "net/c1": [10] },
      hash: "00ff00ff00ff00ff",
      test: null,
      check: null
    })
    expect(decodeToken(encodeToken(odd))).toEqual(odd)
    const bare = { hash: null, test: null, check: null }
    expect(decodeToken(encodeToken({ seed: 0, lists: {} }))).toEqual({ seed: 0, lists: {}, ...bare })
    expect(decodeToken(encodeToken({ seed: 0, lists: null, hash: null })).lists).toBeNull()
    expect(encodeToken(odd)).toMatch(/^[\w.=,%/-]+$/)
  })

  it("refuses what is none, and says why", () => {
    expect(thrownBy("")).toMatchObject({ _tag: "InvalidToken", message: expect.stringContaining("it is empty") })
    expect(thrownBy("hello")).toMatchObject({ message: expect.stringContaining('begins with "hello"') })
    expect(thrownBy(token.replace("us1", "us2"))).toMatchObject({
      message: expect.stringContaining("it has version 2")
    })
    expect(thrownBy(token.slice(0, -9))).toMatchObject({ message: expect.stringContaining("missing or changed") })
    expect(thrownBy(token.replace("z4", "z5"))).toMatchObject({
      message: expect.stringContaining("missing or changed")
    })
    expect(thrownBy("x".repeat(1_000_001))).toMatchObject({ message: expect.stringContaining("more than 1000000") })
  })

  it("refuses more choices than a run can make, before it writes them out", () => {
    const body = "0.-.a=z999999.b=z2"

    expect(thrownBy(`us1.${body}.${derive(1, body).toString(36)}`)).toMatchObject({
      message: expect.stringContaining("more than 1000000 choices")
    })
  })

  it("refuses every text that is cut or changed in one place", () => {
    for (let at = 0; at < token.length; at++) {
      expect(thrownBy(token.slice(0, at))).toBeInstanceOf(InvalidToken)
      const other = token[at] === "q" ? "r" : "q"
      expect(thrownBy(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBeInstanceOf(InvalidToken)
    }
  })

  it("makes the run again that it stands for, and says whether it is the same", () => {
    const run: Program<Outcome> = (choice, { seed }) => ({
      type: "ok",
      hash: `${seed}${choice.draw(9, "a/x")}${choice.draw(9, "b/x")}`
    })
    const again = (hash: string | null) => replayRun({ run, token: encodeToken({ seed: 5, lists: { b: [8] }, hash }) })

    expect(again("508")).toMatchObject({
      outcome: { hash: "508" },
      isSame: true,
      draws: [{ label: "a/x" }, { label: "b/x" }]
    })
    expect(again("999").isSame).toBe(false)
    expect(again(null).isSame).toBeNull()
    expect(replayRun({ run: () => ({ type: "ok" }), token }).isSame).toBeNull()
    expect(() => replayRun({ run, token: "nonsense" })).toThrow(InvalidToken)
  })

  it("says that it does not fit where a rare fault was one of many answers and is one of two now", () => {
    const draws = Array.from({ length: 3 }, (_, at) => ({ label: "net/ann/rst", n: 20, answer: at === 2 ? 19 : 0 }))
    const older = encodeToken({ seed: 0, lists: listsOf(draws), check: drawCheckOf(draws) })
    const run: Program<Outcome> = (choice) => {
      for (let draw = 0; draw < 3; draw++) choice.draw(2, "net/ann/rst", 19)
      return { type: "ok" }
    }
    const { difference } = replayRun({ run, token: older })

    expect(difference).toMatchObject({ draw: { from: 0 }, unasked: [{ fork: "net/ann", at: 2, value: 19 }] })
  })

  it("makes a seeded run again, and one that gives a promise", async () => {
    const run: Program<Outcome> = (choice) => ({ type: "ok", hash: String(choice.draw(1_000, "a/x")) })
    const seeded = encodeToken({ seed: 5, lists: null, hash: null })
    const atOnce = replayRun({ run, token: seeded })

    expect(atOnce.draws).not.toEqual([{ label: "a/x", n: 1_000, answer: 0 }])
    expect(await replayRun({ run: async (choice, context) => run(choice, context), token: seeded })).toEqual(atOnce)
  })
})
