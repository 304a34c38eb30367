import { Effect, Fiber } from "effect"
import { expect, test } from "vitest"
import { inferenceServer, layerLive, layerSim, Supervisor } from "../src/effect.ts"

test("a server lives as long as its scope, on real sockets", async () => {
  const origin = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* inferenceServer()
        const answer = yield* Effect.promise(() => fetch(server.origin()))
        expect(answer.status).toBe(200)
        return server.origin()
      })
    ).pipe(Effect.provide(layerLive))
  )

  await expect(fetch(origin)).rejects.toThrow()
})

test("the same program runs in virtual time", async () => {
  const world = layerSim()
  const program = Effect.scoped(
    Effect.gen(function* () {
      yield* inferenceServer()
      return world.http.connect().request({ method: "GET", target: "/" }).text()
    })
  ).pipe(Effect.provide(world.layer))

  const fiber = Effect.runFork(program)
  while (fiber.pollUnsafe() === undefined) {
    world.clock.settle()
    await new Promise(setImmediate)
  }

  expect(await Effect.runPromise(Fiber.join(fiber))).toBe("understudy is ready\n")
  expect(world.clock.armed()).toBe(0)
})

test("an option out of range fails the effect with its tag", async () => {
  const failure = await Effect.runPromise(
    Effect.flip(Effect.scoped(inferenceServer({ port: 70_000 }))).pipe(Effect.provide(layerLive))
  )

  expect(failure._tag).toBe("InvalidOption")
})

test("the supervisor is a service over the clock of its world", async () => {
  const alive = await Effect.runPromise(
    Effect.gen(function* () {
      return (yield* Supervisor).alive()
    }).pipe(Effect.provide(layerSim().layer))
  )

  expect(alive).toBe(0)
})
