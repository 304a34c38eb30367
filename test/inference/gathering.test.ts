import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../src/index.ts"
import { startAskingWorld, unhandledWhile, untyped } from "../support/asking-world.ts"

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

  it("are there in the step in which the last comes: who leaves after that has made no room", async () => {
    const { server, ask, clock } = startAskingWorld()
    const gathered = server.gather(2)
    ask()
    const last = ask()
    clock.settle()
    last.connection.disconnect()
    const { answer } = ask()
    clock.settle()

    expect(answer.isComplete).toBe(true)
    expect((await gathered).map((call) => call.isGone)).toEqual([false, true])
  })

  it("say what they wait for while their clients come and go", () => {
    const { server, askNow, clock } = startAskingWorld()
    void server.gather(3)
    const { connection } = askNow()
    askNow()

    expect(() => server.verify()).toThrow(/gather\(3\) at \S+ waits for 1 request more$/)
    connection.disconnect()
    clock.settle()
    expect(() => server.verify()).toThrow(/gather\(3\) at \S+ waits for 2 requests more$/)
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
