import { describe, expect, it } from "vitest"
import { HeldCallsCut, ScriptedResponse, SseEvent } from "../../src/index.ts"
import { startAskingWorld } from "../support/asking-world.ts"
import { startWorld } from "../support/virtual-world.ts"

const line = /^POST \/v1\/chat\/completions, held by the test at \S*disposal\.test\.ts:\d+:\d+, waits for the test/

describe("a server that is disposed of", () => {
  /** What disposing says, when all of its time has passed. */
  const disposed = async ({
    server,
    clock
  }: Pick<ReturnType<typeof startWorld>, "server" | "clock">): Promise<unknown> => {
    const end = server[Symbol.asyncDispose]().then(
      () => null,
      (error: unknown) => error
    )
    clock.advance(1_000)
    return end
  }

  it("names a call that its client still waited for, with the line of the test that took it", async () => {
    const world = startWorld()
    const next = world.server.next()
    world.auxiliary("hello")
    await next

    const error = await disposed(world)

    expect(error).toBeInstanceOf(HeldCallsCut)
    expect(error).toMatchObject({ calls: [expect.stringMatching(line)] })
    expect(String(error)).toMatch(/answer each, or say proceed\(\):\n {2}POST .*disposal\.test\.ts:\d+/)
    expect((await world.server.close()).blocked).toEqual([expect.stringMatching(line)])
  })

  it("names a stream that the test did not end", async () => {
    const world = startWorld()
    const next = world.server.next()
    world.auxiliary("hello")
    ;(await next).stream().write("one")
    world.clock.settle()

    expect(await disposed(world)).toMatchObject({ calls: [expect.stringMatching(line)] })
  })

  it("names a stream that was not ended, also while its client does not read what was written", async () => {
    const world = startAskingWorld()
    const next = world.server.next()
    world.askNow({}, { windowBytes: 64 })
    const stream = (await next).stream()
    for (let count = 0; count < 20; count++) stream.write("x".repeat(64))
    world.clock.settle()

    const reads = /, held by the test at \S*disposal\.test\.ts:\d+:\d+, waits for its client to read$/
    expect(await disposed(world)).toMatchObject({ calls: [expect.stringMatching(reads)] })
  })

  it("says nothing of a stream that was ended while its client did not read", async () => {
    const world = startAskingWorld()
    const next = world.server.next()
    world.askNow({}, { windowBytes: 64 })
    const stream = (await next).stream()
    for (let count = 0; count < 20; count++) stream.write("x".repeat(64))
    stream.end()
    world.clock.settle()

    expect(await disposed(world)).toBe(null)
  })

  it("says nothing of calls that were answered, whose client left, or that nobody held", async () => {
    const world = startWorld()
    const calls = world.server.gather(2)
    const left = world.auxiliary("hello")
    world.auxiliary("hello")
    const [, second] = await calls
    left.leave()
    second?.reply({ ...ScriptedResponse.sse([SseEvent.data("1")]), pacing: { delayMs: 60_000 } })
    world.clock.settle()

    expect(await disposed(world)).toBe(null)
    expect((await world.server.close()).blocked).toHaveLength(1)
  })
})
