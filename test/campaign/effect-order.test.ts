import { Effect, Fiber, Ref } from "effect"
import { describe, expect, it } from "vitest"
import { simRuntime } from "../../src/effect.ts"
import { explore, SimFailed, type SimProgram } from "../../src/sim.ts"
import { oneRun } from "./effect-world.ts"

const failureOf = async (running: Promise<unknown>): Promise<SimFailed> => {
  const error = await running.then(
    () => null,
    (thrown: unknown) => thrown
  )
  if (error instanceof SimFailed) return error
  throw new Error(`expected a failed run, and got ${String(error)}`)
}

/** Two fibers that read and write without a yield between. */
const counting =
  ({ preempts }: { readonly preempts: boolean }): SimProgram =>
  async (sim) => {
    const { runPromise } = simRuntime(sim, { actor: "ann", preempts })
    const count = await runPromise(
      Effect.gen(function* () {
        const counter = yield* Ref.make(0)
        const work = Effect.gen(function* () {
          const read = yield* Ref.get(counter)
          yield* Ref.set(counter, read + 1)
        })
        yield* Fiber.joinAll([yield* Effect.forkChild(work), yield* Effect.forkChild(work)])
        return yield* Ref.get(counter)
      })
    )
    if (count !== 2) throw new Error(`${count} of 2 updates`)
  }

/** A reader that counts on the writer which was started before it. */
const settings: SimProgram = async (sim) => {
  const { runPromise } = simRuntime(sim, { actor: "ann" })
  await runPromise(
    Effect.gen(function* () {
      let address: string | null = null
      const write = Effect.sync(() => {
        address = "http://mock.test"
      })
      const read = Effect.suspend(() => (address === null ? Effect.die(new Error("no address")) : Effect.void))
      yield* Fiber.joinAll([yield* Effect.forkChild(write), yield* Effect.forkChild(read)])
    })
  )
}

describe("The order of fibers", () => {
  // Seen to fail when all tasks of an actor are planned on one channel.
  it("is drawn: a reader that needs the writer first is found, with one choice", async () => {
    const failure = await failureOf(explore({ runs: 50 }, settings))

    expect(failure.message).toMatch(
      /^no address\nfound in run \d+ of seed 0; 1 choice is not calm: step 1, 0 ms: effect\/task to ann went first, of 2 that could\n/
    )
    expect(failure.message).toContain("participant p1 as ann")
  })

  it("is first in, first out in the calm run", async () => {
    const seen: Array<string> = []
    const step = (name: string) =>
      Effect.andThen(
        Effect.sync(() => seen.push(name)),
        Effect.yieldNow
      )

    await oneRun({}, (runtime) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const fibers = []
          for (const name of ["a", "b", "c"]) {
            fibers.push(yield* Effect.forkChild(Effect.all([step(`${name}1`), step(`${name}2`)])))
          }
          yield* Fiber.joinAll(fibers)
        })
      )
    )

    expect(seen.join(" ")).toBe("a1 b1 c1 a2 b2 c2")
  })

  it("holds also between programs of several actors, each in its own name", async () => {
    const { steps } = await oneRun({}, async (runtime, sim) => {
      const bob = sim.as("bob", () => simRuntime(sim))
      await Promise.all([runtime, bob].map(({ runPromise }) => runPromise(Effect.sleep("1 second"))))
    })

    expect(steps.map(({ op }) => `${op.actor} ${op.label}`)).toEqual(["main effect/sleep", "bob effect/sleep"])
  })
})

describe("Preemption", () => {
  it("finds a lost update in code that nowhere yields, with one choice", async () => {
    const failure = await failureOf(explore({ runs: 300 }, counting({ preempts: true })))

    expect(failure.message).toMatch(
      /^1 of 2 updates\nfound in run \d+ of seed 0; 1 choice is not calm: step 1, 0 ms: effect\/ann\/2\/preempt was/
    )
  })

  it("happens only where it is asked for", async () => {
    const { stats } = await explore({ runs: 100 }, counting({ preempts: false }))

    expect(stats.runs).toBe(100)
    expect(stats.failures).toEqual({})
  })

  it("is in no calm run, whose fibers yield after as many operations as Effect lets them", async () => {
    const { steps, draws } = await oneRun(
      {},
      ({ runPromise }) =>
        runPromise(
          Effect.gen(function* () {
            for (let n = 0; n < 5_000; n++) yield* Effect.sync(() => n)
          })
        ),
      { preempts: true }
    )

    expect(draws.length).toBeGreaterThan(300)
    expect(steps.map(({ op }) => op.label)).toEqual(["effect/task", "effect/task"])
  })

  it("changes no result of a program whose updates are whole", async () => {
    const { stats } = await explore({ runs: 60 }, async (sim) => {
      const { runPromise } = simRuntime(sim, { preempts: true })
      const count = await runPromise(
        Effect.gen(function* () {
          const counter = yield* Ref.make(0)
          const work = Effect.repeat(
            Ref.update(counter, (n) => n + 1),
            { times: 9 }
          )
          yield* Effect.all([work, work, work], { concurrency: "unbounded" })
          return yield* Ref.get(counter)
        })
      )
      expect(count).toBe(30)
    })

    expect(stats.distinct).toBeGreaterThan(20)
  })
})
