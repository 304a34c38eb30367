import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../src/index.ts"
import { startAskingWorld, unhandledWhile, untyped } from "../support/asking-world.ts"
import { stateOf } from "../support/promise-state.ts"

describe("gathered calls", () => {
  it("that nobody awaits are no crash when the server closes", async () => {
    const unhandled = await unhandledWhile(async () => {
      const { server, close } = startAskingWorld()
      void server.gather(2)
      await close()
    })

    expect(unhandled).toEqual([])
  })

  it("get the place of a client that left back at once, before any promise runs", async () => {
    const { server, ask, clock } = startAskingWorld()
    const gathered = server.gather(2)
    ask().connection.disconnect()
    const left = ask()
    clock.settle()
    left.connection.disconnect()
    clock.settle()
    const answers = [ask(), ask(), ask()].map(({ answer }) => answer)
    clock.settle()

    expect(answers.map(({ status }) => status)).toEqual([null, null, 200])
    expect((await gathered).map((call) => call.isGone)).toEqual([false, false])
  })

  it("go before what was asked for later, also for a place that was given up", async () => {
    const { server, askNow } = startAskingWorld()
    const gathered = server.gather(2)
    const next = server.next()
    askNow().connection.disconnect()
    for (const _ of [2, 3, 4]) askNow()

    expect((await gathered).map((call) => call.number)).toEqual([2, 3])
    expect((await next).number).toBe(4)
  })

  it("are there in the step in which the last came: who leaves after it leaves a gone call", async () => {
    const { server, ask, clock } = startAskingWorld()
    const gathered = server.gather(2)
    ask()
    ask().connection.disconnect()
    ask()
    const last = ask()
    clock.settle()
    last.connection.disconnect()
    clock.settle()

    expect((await gathered).map((call) => call.isGone).filter((isGone) => isGone).length).toBeLessThan(2)
    expect(await stateOf(gathered)).toBe("resolved")
  })

  it.each([
    ["0", "gather(count): count is 0; use a whole number from 1 to 100000"],
    ["1.5", "count is 1.5"],
    ['"two"', 'count is "two"'],
    ['{"endpoint":"Messages"}', 'count is {"endpoint":"Messages"}']
  ])("cannot be %s", async (count, message) => {
    const { server } = startAskingWorld()
    const gathered = server.gather(untyped(count))

    await expect(gathered).rejects.toThrow(InvalidOption)
    await expect(gathered).rejects.toThrow(message)
  })

  it("need a count", async () => {
    const { server } = startAskingWorld()
    const gather: (...given: ReadonlyArray<never>) => Promise<unknown> = server.gather

    await expect(gather()).rejects.toThrow("gather(count): count is undefined")
  })
})
