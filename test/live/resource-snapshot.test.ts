import { describe, expect, it } from "vitest"
import { resourceSnapshot, startRssSampler } from "../../src/index.ts"
import { rssReport } from "../../src/live/resource-snapshot.ts"
import { openRaw, startLive } from "../support/live-world.ts"

const MiB = 1024 * 1024

/** Sees what Linux shows of a process. */
const isLinux = process.platform === "linux"

describe("a resource snapshot", () => {
  it("knows the memory of this process, and on Linux its threads and open files", () => {
    const { rss, threads, openFiles } = resourceSnapshot()

    expect(rss).toBeGreaterThan(10 * MiB)
    if (isLinux) expect([Number(threads) > 1, Number(openFiles) > 2]).toEqual([true, true])
  })

  it.runIf(isLinux)("sees the files that connections are", async () => {
    const before = resourceSnapshot()
    const world = await startLive()
    const clients = Array.from({ length: 20 }, () => openRaw(Number(new URL(world.origin).port)))
    await world.waitConnections(20)

    // The port, and both ends of each connection.
    expect(resourceSnapshot().growthFrom(before).openFiles).toBeGreaterThanOrEqual(41)
    expect(before.growthFrom(resourceSnapshot()).openFiles).toBe(0)
    for (const client of clients) client.leave()
  })

  it.runIf(isLinux)("sees another process, and nothing of one that does not exist", () => {
    const parent = resourceSnapshot(process.ppid)
    expect([Number(parent.rss) > MiB, Number(parent.threads) >= 1]).toEqual([true, true])

    const { rss, threads, openFiles } = resourceSnapshot(2 ** 30)
    expect([rss, threads, openFiles]).toEqual([undefined, undefined, undefined])
  })

  it("grows by a difference that is never negative, unknown where either side is", () => {
    const now = resourceSnapshot()

    expect(now.growthFrom({ rss: 0, threads: undefined, openFiles: Number.MAX_SAFE_INTEGER })).toEqual({
      rss: now.rss,
      threads: undefined,
      openFiles: now.openFiles === undefined ? undefined : 0
    })
  })
})

describe("a sampler of memory", () => {
  it("keeps the peak between start and finish, with a last look", () => {
    const sampler = startRssSampler()
    const filled = Buffer.alloc(64 * MiB, 1)

    const report = sampler.finish()

    expect(filled.at(-1)).toBe(1)
    expect(report.peak - Number(report.baseline)).toBeGreaterThan(32 * MiB)
    expect([report.isWithin(1), report.isWithin(100_000)]).toEqual([false, true])
    expect(sampler.finish()).toBe(report)
  })

  it("ends with its scope, and keeps no process alive", () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    const before = timers()
    {
      using sampler = startRssSampler()
      expect(sampler.finish).toBeTypeOf("function")
      expect(timers()).toBe(before)
    }
  })

  it("passes only what was measured and stayed strictly below the budget", () => {
    expect(rssReport(10 * MiB, 12 * MiB).isWithin(2)).toBe(false)
    expect(rssReport(10 * MiB, 12 * MiB - 1).isWithin(2)).toBe(true)
    expect(rssReport(10 * MiB, 5 * MiB).isWithin(1)).toBe(true)
    expect(rssReport(undefined, 5 * MiB).isWithin(1_000)).toBe(false)
    expect(rssReport(0, 0).isWithin(1_000)).toBe(false)
  })
})
