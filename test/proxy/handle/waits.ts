import { expect, test } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import { WaitTimeout } from "../../../src/domain/harness-errors.ts"
import { Cancelled } from "../../../src/domain/harness-scope-errors.ts"
import { releasedMax } from "../../../src/proxy/plan/link-state.ts"
import type { RuleSource } from "../../../src/proxy/plan/plan-source.ts"
import { frames } from "../proxy-world.ts"
import { expectMs, type Setting, startIn } from "../setting.ts"

const problemOf = (wait: Promise<unknown>): Promise<unknown> =>
  wait.then(
    (value) => ({ value }),
    (problem: unknown) => problem
  )

/** Waits of a handle. */
export const waitTests = (setting: Setting): void => {
  test("waits end as soon as that is reached which they wait for, or at once", async () => {
    const { world, proxy, echoed, timers } = await startIn(setting)
    const waits = [
      proxy.waitForConnections(2),
      proxy.waitForForwarded("clientToLeader", 2),
      proxy.waitForForwarded("leaderToClient", 2)
    ]
    const [one, two] = [await echoed(), await echoed()]
    void one.write(frames("1"))
    void two.write(frames("2"))

    await world.settled(Promise.all(waits))

    expect([proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")]).toEqual([2, 2])
    await world.settled(proxy.waitForConnections(1, { ms: 0 }))
    await world.settled(proxy.waitForForwarded("leaderToClient", 0, { ms: 0 }))
    expect(timers()).toBe(0)
    await world.settled(proxy.stop())
  })

  test("waits are over when their time is, and say what they have waited for", async () => {
    const { world, proxy } = await startIn(setting)
    for (const [ms, wait, text] of [
      [40, proxy.waitForForwarded("leaderToClient", 3, { ms: 40 }), "3 frames to be forwarded (leaderToClient)"],
      [40, proxy.waitForConnections(7, { ms: 40 }), "7 connections"],
      [40, proxy.waitForHeld("gate", { ms: 40 }), 'a frame at the barrier "gate"']
    ] as const) {
      const problem = await world.settled(problemOf(wait))
      expect(problem).toBeInstanceOf(WaitTimeout)
      expect(String(problem)).toContain(text)
      expect(String(problem)).toContain(`${ms}`)
      expect(String(problem)).toMatch(
        /: 0 connections so far, 0 frames forwarded to the upstream and 0 back; last of all\n +\d+\.\d{3} {2}listening at /
      )
    }
    await world.settled(proxy.stop())
  })

  test("directions may be called by their short names", async () => {
    const { world, proxy, echoed } = await startIn(setting)
    const client = await echoed()
    proxy.pause("u2c")
    void client.write(frames("1"))
    await world.settled(proxy.waitForForwarded("c2u", 1))

    expect([proxy.forwarded("c2u"), proxy.forwarded("u2c")]).toEqual([1, 0])
    proxy.partition("u2c")
    proxy.heal("u2c")
    proxy.resume("u2c")
    await world.settled(proxy.waitForForwarded("u2c", 1))
    await world.settled(proxy.stop())
  })

  test("without a time a wait has thirty seconds", async () => {
    // Nobody waits so long on real sockets.
    if (setting.time === "unknown") return
    const { world, proxy } = await startIn(setting)
    const from = world.clock.now()

    expect(await world.settled(problemOf(proxy.waitForConnections(1)))).toBeInstanceOf(WaitTimeout)
    expectMs(setting, world.clock.now() - from, 30_000)
    await world.settled(proxy.stop())
  })

  test("a stop cancels the waits that there are, and those to come", async () => {
    const { world, proxy, timers } = await startIn(setting)
    const waits = [proxy.waitForConnections(1), proxy.waitForHeld("gate"), proxy.waitForForwarded("clientToLeader", 1)]
    const problems = waits.map(problemOf)

    await world.settled(proxy.stop())

    for (const problem of [...problems, problemOf(proxy.waitForConnections(1))])
      expect(await world.settled(problem)).toBeInstanceOf(Cancelled)
    expect(timers()).toBe(0)
  })

  test("a wait is given up with its signal, before and while it goes on, and costs nothing then", async () => {
    const { world, proxy, timers } = await startIn(setting)
    const abort = new AbortController()
    const { signal } = abort
    const problem = problemOf(proxy.waitForHeld("gate", { signal }))
    abort.abort()

    for (const one of [problem, problemOf(proxy.waitForConnections(1, { signal }))]) {
      expect(await world.settled(one)).toBeInstanceOf(Cancelled)
      expect(String(await one)).toMatch(/the wait for .* was given up$/)
    }
    // What is there already needs no waiting.
    await world.settled(proxy.waitForConnections(0, { signal }))
    expect(timers()).toBe(0)
    await world.settled(proxy.stop())
  })

  test("what is no time, no direction or no number of a wait is refused", async () => {
    const { world, proxy } = await startIn(setting)

    for (const wait of [
      proxy.waitForConnections(1, { ms: -1 }),
      proxy.waitForConnections(1, { ms: Number.NaN }),
      proxy.waitForHeld("gate", { ms: 2 ** 40 }),
      proxy.waitForHeld("x".repeat(201)),
      Reflect.apply(proxy.waitForConnections, proxy, [1, null]),
      Reflect.apply(proxy.waitForConnections, proxy, [1, { deadlineMs: 4 }]),
      Reflect.apply(proxy.waitForConnections, proxy, [1, { signal: {} }]),
      Reflect.apply(proxy.waitForForwarded, proxy, ["up", 1])
    ])
      expect(await world.settled(problemOf(wait))).toBeInstanceOf(InvalidOption)
    expect(() => Reflect.apply(proxy.forwarded, proxy, ["up"])).toThrow(InvalidOption)
    expect(() => Reflect.apply(proxy.pause, proxy, ["up"])).toThrow(InvalidOption)
    expect(() => Reflect.apply(proxy.partition, proxy, ["up"])).toThrow(InvalidOption)
    await world.settled(proxy.stop())
  })

  // Seen to fail when a frame that begins to wait is not looked at.
  test("a wait for a barrier hears of the frame that comes to it, and of no other", async () => {
    const rules = ["one", "two"].map((barrier, place) => ({
      match: { index: place + 1 },
      action: { type: "hold", barrier }
    }))
    const { world, proxy, through } = await startIn(setting, { plan: { rules } })
    const { client } = await through()
    const waits = [proxy.waitForHeld("two"), proxy.waitForHeld("one")]
    void client.write(frames("1", "2"))

    expect(await world.settled(waits[1] ?? Promise.reject())).toMatchObject({ index: 1, barriers: ["one"] })
    proxy.release("one")
    expect(await world.settled(waits[0] ?? Promise.reject())).toMatchObject({ index: 2, barriers: ["two"] })
    await world.settled(proxy.stop())
  })

  // Seen to fail while such barriers were taken: frames waited there for ever.
  test("nothing is held at a barrier that could not be opened any more", async () => {
    const { world, proxy } = await startIn(setting)
    const hold = (barrier: string): RuleSource => ({ action: { type: "hold", barrier } })
    proxy.addRule(hold("kept"))
    for (let place = 0; place < releasedMax - 2; place++) proxy.release(`b${place}`)
    proxy.addRule(hold("last"))
    proxy.addRule(hold("kept"))
    const text = "10001 barriers are open or named by rules; a proxy opens at most 10000"

    expect(() => proxy.addRule(hold("more"))).toThrow(text)
    expect(() => proxy.release("more")).toThrow(text)
    expect(() => proxy.setPlan({ rules: ["x", "y", "z"].map(hold) })).toThrow(text)
    expect(proxy.rules()).toHaveLength(3)
    expect([proxy.release("last"), proxy.release("kept"), proxy.release("b1")]).toEqual([0, 0, 0])
    await world.settled(proxy.stop())
  })
}
