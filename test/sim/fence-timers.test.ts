import nodeTimers, { setTimeout as namedSetTimeout } from "node:timers"
import { setInterval as every, scheduler, setImmediate as soon, setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { asActor } from "../../src/sim/fence-run.ts"
import { failure, returned, runOnce, sleep } from "./fence-world.ts"

describe("A fenced timer", () => {
  it("fires in virtual time with its arguments", async () => {
    const { lines } = await runOnce(1, async ({ log }) => {
      await new Promise<void>((resolve) =>
        setTimeout(
          (a: string, b: number) => {
            log(a, b)
            resolve()
          },
          86_400_000,
          "late",
          2
        )
      )
    })
    expect(lines).toEqual(["86400000 late 2"])
  })

  it.each([
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, 1],
    [-5, 1],
    [0, 1],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
    [1.9, 1]
  ])("of %d ms takes %d ms, by Node's rule", async (asked, taken) => {
    const at = await returned(async ({ kernel }) => {
      await sleep(asked)
      return kernel.now()
    })
    expect(at).toBe(taken)
  })

  it("has the methods of Node's", async () => {
    const seen = await returned(async ({ kernel }) => {
      const fired: Array<string> = []
      const timer = setTimeout(() => fired.push(`a${kernel.now()}`), 10)
      const refs = [timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()]
      const closed = setTimeout(() => fired.push("closed"), 1)
      closed.close()
      closed.refresh()
      const number = Number(setTimeout(() => fired.push("by number"), 1))
      clearTimeout(number)
      const cleared = setInterval(() => fired.push("cleared"), 1)
      clearTimeout(cleared)
      const disposed = setTimeout(() => fired.push("disposed"), 1)
      disposed[Symbol.dispose]()
      const immediate = setImmediate(() => fired.push("immediate"))
      clearImmediate(immediate)
      await sleep(6)
      timer.refresh()
      await sleep(20)
      return { refs, fired, number: Number.isInteger(number) }
    })
    expect(seen).toEqual({ refs: [true, false, true], fired: ["a16"], number: true })
  })

  it("calls back with itself as this, and as often as its interval says until it is cleared", async () => {
    const { lines } = await runOnce(1, async ({ log }) => {
      await new Promise<void>((resolve) => {
        let count = 0
        const timer = setInterval(function (this: unknown) {
          log(this === timer)
          if (++count === 3) {
            clearInterval(timer)
            resolve()
          }
        }, 5)
      })
      await sleep(100)
      log("end")
    })
    expect(lines).toEqual(["5 true", "10 true", "15 true", "115 end"])
  })

  it("keeps the order of timers of one length and of immediates, whatever is drawn", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { lines } = await runOnce(seed, async ({ log }) => {
        for (const name of ["a", "b", "c"]) {
          setTimeout(() => log(name), 5)
          setImmediate(() => log(`i${name}`))
        }
        await sleep(6)
      })
      expect(lines.filter((line) => line.startsWith("5 "))).toEqual(["5 a", "5 b", "5 c"])
      expect(lines.filter((line) => line.startsWith("0 "))).toEqual(["0 ia", "0 ib", "0 ic"])
    }
  })

  it("of one actor may fire before that of another which was armed first", async () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const { lines } = await runOnce(seed, async ({ log }) => {
        for (const name of ["a", "b"]) asActor(name, () => setTimeout(() => log(name), 5))
        await sleep(6)
      })
      orders.add(lines.join())
    }
    expect(orders.size).toBe(2)
  })

  it("is one for globals, node:timers and named imports", async () => {
    await returned(() => {
      expect(namedSetTimeout).toBe(globalThis.setTimeout)
      expect(nodeTimers.setTimeout).toBe(globalThis.setTimeout)
      expect(setTimeout.name).toBe("setTimeout")
      expect(() => Reflect.apply(setTimeout, null, ["no function"])).toThrow(
        expect.objectContaining({ code: "ERR_INVALID_ARG_TYPE" })
      )
    })
  })

  it("that throws fails the run", async () => {
    const boom = new Error("boom")
    const error = await failure(async () => {
      setTimeout(() => {
        throw boom
      }, 3)
      await sleep(10)
    })
    expect(error).toBe(boom)
  })
})

describe("The fenced timers with promises", () => {
  it("wait in virtual time", async () => {
    const { lines } = await runOnce(1, async ({ log }) => {
      log(await wait(5, "value"))
      log(await soon("now"))
      log(await scheduler.wait(7))
      await scheduler.yield()
      log(await promisify(setTimeout)(9, "promisified"))
      log(await promisify(setImmediate)("soon"))
      let count = 0
      for await (const value of every(10, "tick")) {
        log(value)
        if (++count === 2) break
      }
      log("end")
    })
    expect(lines).toEqual([
      "5 value",
      "5 now",
      "12 undefined",
      "21 promisified",
      "21 soon",
      "31 tick",
      "41 tick",
      "41 end"
    ])
  })

  it("can be aborted as Node's can, and leave nothing behind", async () => {
    const outcome = await runOnce(1, async ({ log }) => {
      const signal = AbortSignal.timeout(5)
      for (const start of [() => wait(100, 1, { signal }), () => wait(100, 1, { signal: AbortSignal.abort("why") })]) {
        const error = await start().catch((reason: unknown) => reason)
        if (error instanceof Error && "code" in error) log(error.name, error.code, String(error.cause))
      }
      const ticks = (async () => {
        for await (const _ of every(10, 1, { signal: AbortSignal.timeout(25) })) log("tick")
      })()
      log(await ticks.catch((error: unknown) => error))
    })
    expect(outcome.lines).toEqual([
      "5 AbortError ABORT_ERR TimeoutError: The operation was aborted due to timeout",
      "5 AbortError ABORT_ERR why",
      "15 tick",
      "25 tick",
      "30 AbortError: The operation was aborted"
    ])
    expect(outcome.stats.left).toBe(0)
  })

  it("leave bad arguments to Node", async () => {
    const error = await failure(() => Reflect.apply(wait, null, [1, 1, { signal: "no signal" }]))
    expect(error).toMatchObject({ code: "ERR_INVALID_ARG_TYPE" })
  })
})
