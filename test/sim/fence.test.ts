import { randomUUID } from "node:crypto"
import nodeTimers, { setTimeout as namedSetTimeout } from "node:timers"
import { setTimeout as wait } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { installFence, isFenceInstalled, realTimers, restoreFence, whileFenced } from "../../src/sim/fence.ts"
import { failure, returned, runOnce, sleep } from "./fence-world.ts"

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Everything that the fence replaces, by name. */
const builtIns = () => ({
  setTimeout: globalThis.setTimeout,
  clearInterval: globalThis.clearInterval,
  namedSetTimeout,
  Date: globalThis.Date,
  constructorOfDates: Date.prototype.constructor,
  random: Math.random,
  now: performance.now,
  hrtime: process.hrtime,
  timeout: AbortSignal.timeout,
  uuid: globalThis.crypto.randomUUID,
  namedUuid: randomUUID,
  digest: globalThis.crypto.subtle.digest
})

describe("The fence", () => {
  it("takes down all it put up, for named imports too", () => {
    restoreFence()
    const before = builtIns()
    installFence()
    const between = builtIns()
    restoreFence()

    expect(builtIns()).toEqual(before)
    for (const [name, value] of Object.entries(between)) expect(value, name).not.toBe(Reflect.get(before, name))
    expect(Object.getOwnPropertySymbols(nodeTimers)).toEqual([])
  })

  it("gives code of no run the real thing while it is up", async () => {
    installFence()
    const before = process.hrtime.bigint()
    await sleep(20)

    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeGreaterThan(15)
    expect(Math.abs(Date.parse(new Date().toISOString()) - Date.now())).toBeLessThan(1_000)
    expect(new Date().getUTCFullYear()).toBeLessThan(2_030)
    expect(typeof Date()).toBe("string")
    expect(setTimeout(() => {}, 1).constructor.name).toBe("Timeout")
  })

  it("gives code of no run the real thing also while a run is in progress", async () => {
    const outside = (async () => {
      await sleep(5)
      return new Date().getUTCFullYear()
    })()
    const years = await returned(
      async () => {
        await sleep(1_000)
        return [new Date().getUTCFullYear(), await outside]
      },
      { limits: { graceMs: 1_000 } }
    )

    expect(years[0]).toBe(2_030)
    expect(years[1]).toBeLessThan(2_030)
  })

  it("leaves the world as it was after a run that throws", async () => {
    const listeners = process.rawListeners("unhandledRejection").length
    const boom = new Error("boom")
    expect(await failure(() => Promise.reject(boom))).toBe(boom)
    expect(
      await failure(() => {
        throw boom
      })
    ).toBe(boom)

    expect(new Date().getUTCFullYear()).toBeLessThan(2_030)
    expect(process.rawListeners("unhandledRejection").length).toBe(listeners)
    const before = performance.now()
    await sleep(10)
    expect(performance.now() - before).toBeGreaterThan(5)
    expect(await returned(() => 7)).toBe(7)
  })

  it("is refused while fake timers are active, and says what to do", async () => {
    vi.useFakeTimers()
    await expect(runOnce(1, () => 1)).rejects.toMatchObject({
      _tag: "FenceRefused",
      message: expect.stringContaining("vi.useRealTimers()")
    })
    vi.useRealTimers()
    expect(await returned(() => 1)).toBe(1)
  })

  it("is refused while fake timers are active, also when it is not up yet", () => {
    restoreFence()
    vi.useFakeTimers()
    expect(() => installFence()).toThrow("setTimeout is replaced by fake timers")
    expect(isFenceInstalled()).toBe(false)
  })

  it.each([true, false])("is refused while the date or chance is replaced; fence up before: %s", async (isUp) => {
    if (isUp) installFence()
    else restoreFence()
    const spy = vi.spyOn(Math, "random").mockReturnValue(0.5)
    await expect(runOnce(1, () => 1)).rejects.toThrow("Math.random is replaced")
    spy.mockRestore()
    vi.setSystemTime(new Date(0))
    await expect(runOnce(1, () => 1)).rejects.toThrow("Date is replaced")
  })

  it("fails a run inside which fake timers were turned on", async () => {
    const error = await failure(() => {
      vi.useFakeTimers()
    })
    expect(error).toMatchObject({ _tag: "FenceRefused" })
  })

  it("cannot be taken down inside a run", async () => {
    expect(await failure(() => restoreFence())).toMatchObject({ _tag: "FenceRefused" })
  })

  it("takes the place of a fence that another copy of this file has left", async () => {
    restoreFence()
    realTimers()
    const ofThisCopy = globalThis.setTimeout
    const other = await anotherCopy()
    other.realTimers()

    expect(globalThis.setTimeout).not.toBe(ofThisCopy)
    expect(isFenceInstalled()).toBe(false)
    expect(await returned(() => sleep(5))).toBeUndefined()
    expect(other.isFenceInstalled()).toBe(false)
  })

  it("joins a fence that another copy has put up to stay", async () => {
    restoreFence()
    const other = await anotherCopy()
    other.installFence()
    const keptTimeout = globalThis.setTimeout
    try {
      const seen = await returned(async () => {
        const began = Date.now()
        const { signal } = new AbortController()
        await new Promise((resolve) => keptTimeout(resolve, 60_000))
        await wait(60_000, null, { signal })
        return { passed: Date.now() - began, draws: [Math.random(), Math.random()] }
      })
      expect(seen.passed).toBe(120_000)
      expect(globalThis.setTimeout).toBe(keptTimeout)
      restoreFence()
      expect(globalThis.setTimeout).toBe(keptTimeout)
    } finally {
      other.restoreFence()
    }
    expect(globalThis.setTimeout).not.toBe(keptTimeout)
    expect(Object.getOwnPropertySymbols(nodeTimers)).toEqual([])
  })
})

/** As a test runner loads it for the next file. */
const anotherCopy = async (): Promise<typeof import("../../src/sim/fence.ts")> => {
  vi.resetModules()
  const other = await import("../../src/sim/fence.ts")
  expect(other.installFence).not.toBe(installFence)
  return other
}

describe("Whoever runs something", () => {
  beforeEach(() => restoreFence())

  it("has the fence as long as that lasts, also when it fails", async () => {
    const before = builtIns()
    let release = (): void => {}
    const held = whileFenced(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        })
    )
    await expect(whileFenced(() => Promise.reject(new Error("boom")))).rejects.toThrow("boom")
    expect(isFenceInstalled()).toBe(true)
    release()
    await held

    expect(builtIns()).toEqual(before)
  })

  it("leaves it up where it was put up to stay", async () => {
    await whileFenced(async () => installFence())
    expect(isFenceInstalled()).toBe(true)
    await whileFenced(async () => {})
    expect(isFenceInstalled()).toBe(true)
  })

  it("leaves alone what was put on top of it, and can begin again when that is gone", async () => {
    await whileFenced(async () => void vi.useFakeTimers())
    expect("clock" in setTimeout).toBe(true)
    await expect(whileFenced(async () => {})).rejects.toThrow("replaced by fake timers")
    vi.useRealTimers()

    const passed = await whileFenced(() =>
      returned(async () => {
        const began = Date.now()
        await sleep(60_000)
        return Date.now() - began
      })
    )
    expect(passed).toBe(60_000)
    await sleep(1)
  })

  it("gives back timers that its runs have taken over", async () => {
    let fired = (): void => {}
    const timer = setTimeout(() => fired(), 10)
    const fires = () =>
      new Promise<void>((resolve) => {
        fired = resolve
      })
    await whileFenced(() =>
      returned(async () => {
        const first = fires()
        timer.refresh()
        await first
        timer.refresh()
      })
    )

    const again = fires()
    timer.refresh()
    await again
    expect(timer.constructor.name).toBe("Timeout")
  })
})
