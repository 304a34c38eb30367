import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { histories } from "../../properties/arbitraries/histories.ts"
import { lawsOver } from "../../properties/laws.ts"

const calm = histories({ ties: "none", closes: false, names: "few" })

const laws = () => {
  let runs = 0
  return {
    runs: () => runs,
    ...lawsOver(
      calm,
      {
        "nothing happens": () => {
          runs++
        },
        "nobody asks": (_, { commands }) => {
          if (commands.some(({ command, step }) => command.type === "request" && step !== null))
            throw new Error("asked")
        }
      },
      { runs: 20 }
    )
  }
}

beforeEach(() => {
  for (const variable of ["SEED", "RUNS", "REPLAY"]) vi.stubEnv(variable, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe("lawsOver", () => {
  it("tries every law on the same runs", async () => {
    const { check, runs, titles } = laws()

    await check("nothing happens")
    await check("nothing happens")

    expect(titles).toEqual(["nothing happens", "nobody asks"])
    expect(runs()).toBe(20)
  })

  it("shows the smallest history that breaks a law, and the line that replays it", async () => {
    const message = await laws().check("nobody asks").then(String, String)

    expect(message).toContain(
      "server: profile compact, 1024 log entries\n   settled  request 0: ChatCompletions, id a and a turn index\n]"
    )
    expect(message).toContain("asked")
    expect(message).toMatch(/^REPLAY='nobody asks\|20260:[\d:]+'$/m)
  })

  it("replays a counterexample without the other runs", async () => {
    const message = await laws().check("nobody asks").then(String, String)
    vi.stubEnv("REPLAY", /^REPLAY='(.*)'$/m.exec(message)?.[1])
    const again = laws()

    await expect(again.check("nobody asks")).rejects.toThrow("Property failed after 1 tests")
    expect(again.runs()).toBe(0)
  })

  it("fails for a law that there is not", async () => {
    await expect(laws().check("everything")).rejects.toThrow('no law "everything"')
  })
})

describe("histories", () => {
  it("of one kind close or not, and draw ties or not, as asked", () => {
    const drawn = fc.sample(histories({ ties: "drawn", closes: true, names: "own" }), { seed: 1, numRuns: 50 })

    expect(drawn.every(({ choices }) => choices !== null)).toBe(true)
    expect(drawn.every(({ steps }) => steps.some(({ command }) => command.type === "close"))).toBe(true)
    const names = drawn.flatMap(({ steps }) => [
      steps.flatMap(({ command }) => (command.type === "register" ? [command.name] : []))
    ])
    expect(names.every((list) => new Set(list).size === list.length)).toBe(true)
  })
})
