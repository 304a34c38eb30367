import { randomUUID } from "node:crypto"
import nodeTimers, { setTimeout as namedSetTimeout } from "node:timers"
import { afterEach, describe, expect, it, vi } from "vitest"
import { installFence, isFenceInstalled, restoreFence } from "../../src/sim/fence.ts"
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

  it("takes the place of the fence of another copy of this file", async () => {
    restoreFence()
    installFence()
    const ofThisCopy = globalThis.setTimeout
    vi.resetModules()
    const other = await import("../../src/sim/fence.ts")
    expect(other.installFence).not.toBe(installFence)
    other.installFence()

    expect(globalThis.setTimeout).not.toBe(ofThisCopy)
    expect(isFenceInstalled()).toBe(false)
    expect(await returned(() => sleep(5))).toBeUndefined()
    expect(other.isFenceInstalled()).toBe(false)
  })
})
