import { describe, expect, it } from "vitest"
import type { Outcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { plainContext } from "../../src/explore/program.ts"
import { shrinkChoices } from "../../src/explore/shrink-choices.ts"
import { watchChoice } from "../../src/explore/watched-choice.ts"
import { forkedChoice } from "../../src/kernel/choice-forked.ts"
import { listsOf } from "../../src/kernel/choice-forks.ts"
import { fiveClients } from "./five-clients.ts"

/** Fails when what it draws makes `isBad` true. */
const drawing =
  (
    count: number,
    isBad: (answers: ReadonlyArray<number>) => boolean,
    label = (index: number) => `net/c${index % 4}/x`
  ): Program<Outcome> =>
  (choice) => {
    const answers = Array.from({ length: count }, (_, index) => choice.draw(16, label(index)))
    return isBad(answers) ? { type: "failed", signature: "bad", message: answers.join() } : { type: "ok" }
  }

const random = (count: number, label = (index: number) => `net/c${index % 4}/x`) => {
  const watched = watchChoice(forkedChoice(1))
  drawing(count, () => false, label)(watched.choice, plainContext(0))
  return listsOf(watched.draws)
}

/** The sum of every second answer, from one on. */
const sumOf = (answers: ReadonlyArray<number>, from: number): number =>
  answers.reduce((sum, answer, index) => (index % 2 === from ? sum + answer : sum), 0)

describe("Shrinking choices", () => {
  it("leaves at most three choices of a failure of five clients", () => {
    for (let seed = 0; seed < 40; seed++) {
      const run = fiveClients()
      const watched = watchChoice(forkedChoice(seed))
      const outcome = run(watched.choice, plainContext(seed))
      if (outcome.type === "ok") continue
      const shrunk = shrinkChoices({ run, seed, lists: listsOf(watched.draws), signature: outcome.signature })

      expect(shrunk?.nonCalm).toBe(1)
      expect(shrunk).toMatchObject({
        isMinimal: true,
        draws: expect.anything(),
        hash: expect.stringMatching(/^[0-9a-f]{16}$/)
      })
      expect(Object.values(shrunk?.lists ?? {})).toEqual([[4]])
    }
  })

  it("finds the choices that matter, the lowest values of them, and their earliest places", () => {
    const run = drawing(
      80,
      (answers) => (answers[37] ?? 0) >= 6 && answers.some((answer, index) => index > 50 && answer > 9)
    )
    const lists = { ...random(80), "net/c1": random(80)["net/c1"]?.map((answer) => answer | 6) ?? [] }
    const shrunk = shrinkChoices({ run, seed: 0, lists, signature: "bad" })

    expect(shrunk).toMatchObject({ nonCalm: 2, isMinimal: true })
    expect(shrunk?.lists["net/c1"]?.[9]).toBe(6)
    expect(
      Object.values(shrunk?.lists ?? {})
        .flat()
        .sort()
    ).toContain(10)
    expect(shrunk?.replays).toBeLessThan(120)
  })

  // Seen to fail when places are calmed fork by fork: then nothing is ever left out.
  it("leaves out choices of two forks together when they balance each other", () => {
    const label = (index: number): string => (index % 2 === 0 ? "ann/step" : "bob/step")
    const run = drawing(32, (answers) => sumOf(answers, 0) === sumOf(answers, 1) && sumOf(answers, 0) > 0, label)
    const lists = { ann: Array(16).fill(1), bob: Array(16).fill(1) }

    expect(shrinkChoices({ run, seed: 0, lists, signature: "bad" })?.nonCalm).toBe(2)
  })

  it("brings choices forward when what came before them was in vain", () => {
    const run: Program<Outcome> = (choice) => {
      while (choice.draw(3, "walk/on") !== 0)
        if (choice.draw(9, "find/it") === 7) return { type: "failed", signature: "bad", message: "found" }
      return { type: "ok" }
    }
    const lists = { walk: Array(20).fill(2), find: [...Array(12).fill(3), 7] }

    expect(shrinkChoices({ run, seed: 0, lists, signature: "bad" })?.lists).toEqual({ walk: [1], find: [7] })
  })

  // Seen to fail while a choice was left out, and another one moved, but never both at once.
  it.each([
    ["earlier", 5, 11, 6],
    ["later", -2, 4, 6]
  ])("leaves out a choice that was in vain where another one has to come %s then", (_, took, second, alone) => {
    /** A fault at place 3 takes other draws with it, or keeps them away; the deed fails only at one moment. */
    const run: Program<Outcome> = (choice) => {
      let moment = 0
      for (let index = 0; index < 20; index++) {
        const isFault = choice.draw(2, "net/fault") === 1
        if (isFault && moment === 6) return { type: "failed", signature: "bad", message: "at 6" }
        moment += isFault ? 1 - took : 1
      }
      return { type: "ok" }
    }
    const lists = { net: Array<number>(second).fill(0).with(3, 1).concat(1) }

    expect(shrinkChoices({ run, seed: 0, lists, signature: "bad" })).toMatchObject({
      lists: { net: [...Array<number>(alone).fill(0), 1] },
      nonCalm: 1,
      isMinimal: true
    })
  })

  it("makes nothing of a failure that needs no choice at all", () => {
    const run = drawing(20, () => true)

    expect(shrinkChoices({ run, seed: 0, lists: random(20), signature: "bad" })).toMatchObject({
      lists: {},
      nonCalm: 0,
      replays: 2
    })
  })

  it("never takes another failure for the one that it shrinks", () => {
    const run: Program<Outcome> = (choice) => {
      const answer = choice.draw(16, "a/x")
      if (answer === 0) return { type: "ok" }
      return { type: "failed", signature: answer > 7 ? "high" : "low", message: String(answer) }
    }

    expect(shrinkChoices({ run, seed: 0, lists: { a: [15] }, signature: "high" })?.lists).toEqual({ a: [8] })
  })

  it("gives nothing when the choices do not fail so", () => {
    const run = drawing(20, () => false)

    expect(shrinkChoices({ run, seed: 0, lists: random(20), signature: "bad" })).toBeNull()
  })

  it("ends at its bound of runs or when its time is over, with the best so far", () => {
    const run = drawing(400, (answers) => answers.filter((answer) => answer > 0).length > 60)
    const bounded = shrinkChoices({ run, seed: 0, lists: random(400), signature: "bad", replaysMax: 30 })
    const timed = shrinkChoices({ run, seed: 0, lists: random(400), signature: "bad", isOver: () => true })

    expect(bounded).toMatchObject({ isMinimal: false, replays: 30 })
    expect(bounded?.nonCalm).toBeLessThan(400)
    expect(timed).toMatchObject({ isMinimal: false, replays: 1 })
  })

  it("shrinks a program that gives promises to the same", async () => {
    const run = drawing(60, (answers) => (answers[30] ?? 0) > 4)
    const options = { seed: 0, lists: { ...random(60), "net/c2": Array(15).fill(9) }, signature: "bad" }

    expect(await shrinkChoices({ run: async (...args) => run(...args), ...options })).toEqual(
      shrinkChoices({ run, ...options })
    )
  })
})
