import { describe, expect, it } from "vitest"
import { startHarness } from "../../src/harness.ts"
import {
  childLists,
  childrenByParent,
  descendants,
  startTreeSampler,
  treeSnapshot
} from "../../src/live/process-tree.ts"

const MiB = 1024 * 1024
const isLinux = process.platform === "linux"

/** Fills so many MiB, starts a child that does the same, and says when both have. */
const filling = `
  const filled = Buffer.alloc(64 * 1024 * 1024, 1)
  const { spawn } = await import("node:child_process")
  const program = "const filled = Buffer.alloc(64 * 1024 * 1024, 1); console.log(filled.at(-1)); setInterval(() => {}, 1e6)"
  spawn(process.execPath, ["-e", program], { stdio: ["ignore", "inherit", "inherit"] })
`

const startFilling = async (harness: Awaited<ReturnType<typeof startHarness>>) => {
  const tree = await harness.spawn({
    program: process.execPath,
    args: ["--input-type=module", "-e", filling],
    stdout: "piped"
  })
  await new Promise<void>((resolve) => tree.read("stdout", { received: () => resolve(), ended: () => resolve() }))
  return tree
}

describe.runIf(isLinux)("the resources of a tree of processes", () => {
  it("are those of the process and its descendants together, until it has ended", async () => {
    await using harness = await startHarness({ watchdog: false })
    const before = treeSnapshot(process.pid)
    const tree = await startFilling(harness)
    const { rss, threads, openFiles } = treeSnapshot(tree.pid)

    expect([Number(rss) > 128 * MiB, Number(threads) > 2, Number(openFiles) > 6]).toEqual([true, true, true])
    expect(Number(treeSnapshot(process.pid).growthFrom(before).rss)).toBeGreaterThan(128 * MiB)
    const { pid } = tree
    await tree.kill()
    expect(treeSnapshot(pid)).toMatchObject({ rss: undefined, threads: undefined, openFiles: undefined })
  })

  it("are watched by a sampler, whose verdict is no when nothing could be seen", async () => {
    await using harness = await startHarness({ watchdog: false })
    const sampler = startTreeSampler(process.pid)
    await startFilling(harness)
    const report = sampler.finish()

    expect(report.peak - Number(report.baseline)).toBeGreaterThan(128 * MiB)
    expect([report.isWithin(100), report.isWithin(100_000)]).toEqual([false, true])
    expect(startTreeSampler(undefined).finish()).toMatchObject({ baseline: undefined, peak: 0 })
    expect(startTreeSampler(undefined).finish().isWithin(100_000)).toBe(false)
  })

  it("are found by the lists of the kernel as by a look at all processes", async () => {
    await using harness = await startHarness({ watchdog: false })
    const tree = await startFilling(harness)
    const root = Number(tree.pid)

    expect(descendants(root, childLists)).toHaveLength(2)
    expect(descendants(root, () => null)).toEqual(descendants(root, childLists))
    expect(childrenByParent(2 ** 30)).toEqual([])
  })
})
