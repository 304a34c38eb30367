import { Deferred, Effect, Fiber, ManagedRuntime, Ref } from "effect"
import { Agent, request } from "undici"
import { describe, expect, it } from "vitest"
import { inferenceServer, simRuntime } from "../../src/effect.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { explore, withSim } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"

const messageOf = async (running: Promise<unknown>): Promise<string> => {
  const error = await running.then(
    () => null,
    (thrown: unknown) => thrown
  )
  return error instanceof Error ? error.message : `no error: ${String(error)}`
}

describe("A program of Effect that hangs", () => {
  it("is told with the fibers that wait, by their spans", async () => {
    const message = await messageOf(
      withSim({}, (sim) =>
        simRuntime(sim, { actor: "ann" }).runPromise(
          Effect.gen(function* () {
            const answer = yield* Deferred.make<void>()
            yield* Effect.sleep(1_200)
            yield* Effect.forkChild(Effect.withSpan(Deferred.await(answer), "waiter"))
            yield* Effect.fn("asker")(function* () {
              yield* Deferred.await(answer)
            })()
          })
        )
      )
    )

    expect(message.split("\n")).toEqual([
      "the program hangs: after 2 steps, at 1200 ms, nothing is left to happen",
      "  ann: Effect fiber 1 (asker) waits since 1200 ms",
      "  ann: Effect fiber 2 (waiter) waits since 1200 ms"
    ])
  })

  it("names eight of many fibers", async () => {
    const message = await messageOf(
      withSim({}, (sim) =>
        simRuntime(sim).runPromise(Effect.forEach(Array(30).keys(), () => Effect.never, { concurrency: "unbounded" }))
      )
    )

    expect(message.split("\n")).toHaveLength(10)
    expect(message).toMatch(/\n {2}main: 23 more Effect fibers$/)
  })
})

describe("At the end of a run", () => {
  // Seen to fail when fibers that were detached are left alone.
  it("what is left is interrupted, and its finalizers have their time", async () => {
    const ended: Array<string> = []
    const left = (name: string) =>
      Effect.onExit(Effect.never, () =>
        Effect.andThen(
          Effect.sleep("5 seconds"),
          Effect.sync(() => ended.push(name))
        )
      )

    const at = await withSim({}, async (sim) => {
      let endedAt = 0
      sim.onEnd(async () => {
        endedAt = sim.now()
        ended.push(`closed at ${endedAt}`)
      })
      const { runFork, runPromise } = simRuntime(sim)
      runFork(left("root"))
      await runPromise(Effect.forkDetach(left("detached"), { startImmediately: true }))
      return sim.now()
    })

    expect(at).toBe(0)
    expect(ended).toEqual(["root", "detached", "closed at 10000"])
  })

  it("what waited in a run that hung is interrupted too", async () => {
    const ended: Array<string> = []
    const finalized = Effect.onExit(Effect.never, () => Effect.sync(() => ended.push("finalizer")))

    await messageOf(withSim({}, (sim) => simRuntime(sim).runPromise(finalized)))

    expect(ended).toEqual(["finalizer"])
  })

  it("what the program threw counts before a fiber that cannot be interrupted", async () => {
    const stuck = withSim({}, async (sim) => {
      simRuntime(sim).runFork(Effect.uninterruptible(Effect.never))
      throw new Error("the answer is wrong")
    })

    expect(await messageOf(stuck)).toBe("the answer is wrong")
    expect(
      await messageOf(withSim({}, async (sim) => void simRuntime(sim).runFork(Effect.uninterruptible(Effect.never))))
    ).toMatch(/^the program hangs: .*\n {2}main: Effect fiber 1 waits since 0 ms$/)
  })

  // Seen to fail when a fiber is not asked whether its run is over.
  it("a fiber that cannot be interrupted does nothing more, also when somebody wakes it", async () => {
    const gate = Deferred.makeUnsafe<void>()
    const seen: Array<string> = []
    await messageOf(
      withSim({}, (sim) =>
        simRuntime(sim).runPromise(
          Effect.andThen(
            Deferred.await(gate),
            Effect.sync(() => seen.push("zombie"))
          ).pipe(Effect.uninterruptible)
        )
      )
    )

    await withSim({}, (sim) =>
      simRuntime(sim).runPromise(
        Effect.andThen(
          Deferred.succeed(gate, undefined),
          Effect.sync(() => seen.push("second run"))
        )
      )
    )

    expect(seen).toEqual(["second run"])
  })

  it("no program can begin any more", async () => {
    const { runPromise } = await withSim({}, async (sim) => simRuntime(sim))

    await expect(runPromise(Effect.void)).rejects.toThrow("the simulated run is over")
  })
})

describe("A server that is a scope", () => {
  it("answers clients of the run by messages", async () => {
    const seen = await withSim({}, (sim) =>
      simRuntime(sim).runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const server = yield* inferenceServer()
            const answer = yield* Effect.promise(() => sim.fetch("ann")(server.origin()))
            return { text: yield* Effect.promise(() => answer.text()), at: sim.now(), origin: server.origin() }
          })
        )
      )
    )

    expect(seen.text).toBe("understudy is ready\n")
    expect(seen.at).toBeGreaterThan(0)
  })

  it("answers clients of the run by bytes", async () => {
    const text = await withSim({}, (sim) =>
      simRuntime(sim, { over: "bytes" }).runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const server = yield* inferenceServer()
            const dispatcher = new Agent({ connect: sim.connector("ann") })
            const answer = yield* Effect.promise(() => request(server.origin(), { dispatcher }))
            return yield* Effect.promise(() => answer.body.text())
          })
        )
      )
    )

    expect(text).toBe("understudy is ready\n")
  })

  it("gives one expectation to one of two fibers that race, whichever that is", async () => {
    const winners = new Set<string>()

    const { stats } = await explore({ runs: 40 }, async (sim) => {
      const { runPromise } = simRuntime(sim, { actor: "agents" })
      const program = Effect.gen(function* () {
        const server = yield* inferenceServer()
        const reply = sse.chatReply.text({ model: "tide-1", text: "the only one" })
        const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
        server.expectResponse("only", matcher, ScriptedResponse.json(200, reply))
        const ask = (client: string) =>
          Effect.promise(async () => {
            const answer = await sim.fetch(client)(`${server.url()}/chat/completions`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ model: "tide-1", messages: [{ role: "user", content: client }] })
            })
            return (await answer.text()).includes("the only one") ? client : null
          })
        const asked = [yield* Effect.forkChild(ask("ann")), yield* Effect.forkChild(ask("bob"))]
        return (yield* Fiber.joinAll(asked)).filter((client) => client !== null)
      })
      const won = await runPromise(Effect.scoped(program))
      expect(won).toHaveLength(1)
      for (const client of won) winners.add(client)
    })

    expect([...winners].sort()).toEqual(["ann", "bob"])
    expect(stats.failures).toEqual({})
  })
})

describe("The layer of a run", () => {
  it("serves a runtime of one's own, which runs in the order and time of the run", async () => {
    const updates = await withSim({}, async (sim) => {
      const runtime = ManagedRuntime.make(simRuntime(sim, { actor: "ann" }).layer)
      const count = await runtime.runPromise(
        Effect.gen(function* () {
          const counter = yield* Ref.make(0)
          yield* inferenceServer()
          yield* Effect.sleep("1 hour")
          return yield* Ref.updateAndGet(counter, (n) => n + 1)
        }).pipe(Effect.scoped)
      )
      return { count, at: sim.now() }
    })

    expect(updates.count).toBe(1)
    expect(updates.at).toBeGreaterThanOrEqual(3_600_000)
  })
})
