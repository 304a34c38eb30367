import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import type { OpenSimWorker, ProgramInfo, SimWorker } from "../../src/campaign/sim-worker.ts"
import { programs } from "../cli/program-fixtures.ts"
import { openHere, search } from "./module-searches.ts"
import { failureOf, inFolder } from "./sim-tests.ts"

const promised = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const hanging: ProgramInfo = {
  name: "hanging",
  exportName: "hanging",
  seed: 0,
  strategy: "random",
  runs: null,
  budgetMs: null,
  shrinkRunsMax: 0,
  goesOn: false,
  isUntimed: false,
  problem: null
}

describe("The workers of a search", () => {
  const counted = (worker: (seat: Parameters<OpenSimWorker>[0]) => Partial<SimWorker> = () => ({})) => {
    const open = new Set<number>()
    const opened: Array<number> = []
    const openSimWorker: OpenSimWorker = (seat) => {
      open.add(seat.index)
      opened.push(seat.index)
      return { ...openHere(seat), ...worker(seat), close: async () => void open.delete(seat.index) }
    }
    return { open, opened, openSimWorker }
  }

  it.each([
    ["passes", "several.mjs", { only: "calm", runs: 4 }],
    ["fails", "rare.mjs", { strategy: "random" }],
    ["reaches no goal", "several.mjs", { only: "goals" }],
    ["is not deterministic", "unsteady.mjs", {}],
    ["has no such program", "several.mjs", { only: "clam" }],
    ["cannot load its module", "throwing.mjs", {}]
  ] as const)("are closed when it %s", async (_, module, options) => {
    const { open, opened, openSimWorker } = counted()

    await search(programs(module), { workers: 2, ...options }, { open: openSimWorker }).catch(() => {})

    expect(opened.length).toBeGreaterThan(0)
    expect(open.size).toBe(0)
  })

  it("are closed at once by a signal, and none is opened after that", async () => {
    const controller = new AbortController()
    const { open, opened, openSimWorker } = counted(() => ({
      explore: () => {
        controller.abort(new Error("enough"))
        return new Promise(() => {})
      }
    }))
    const { signal } = controller
    const options = { only: "calm", workers: 2, signal }

    await expect(search(programs("several.mjs"), options, { open: openSimWorker })).rejects.toThrow("enough")
    expect(open.size).toBe(0)
    const before = opened.length
    await expect(search(programs("several.mjs"), options, { open: openSimWorker })).rejects.toThrow("enough")
    expect(opened.length).toBe(before)
  })

  // Seen to fail with workers that are opened for a search which nobody waits for any more.
  it("are none that are opened when the others were closed", async () => {
    const controller = new AbortController()
    const { open, opened, openSimWorker } = counted((seat) => ({
      programs: async () => {
        const found = await openHere(seat).programs()
        controller.abort(new Error("enough"))
        return found
      }
    }))
    const options = { only: "calm", workers: 2, signal: controller.signal }

    await expect(search(programs("several.mjs"), options, { open: openSimWorker })).rejects.toThrow("enough")
    await new Promise((resolve) => setImmediate(resolve))
    expect(opened).toEqual([0])
    expect(open.size).toBe(0)
  })

  it("that are lost or hang are not asked again: the failure of another is made small by a new one", async () => {
    const lost = Promise.reject(new Error("the thread ended"))
    lost.catch(() => {})
    const { promise: ended, resolve: end } = promised()
    const { opened, openSimWorker } = counted((seat) => {
      const { explore } = openHere(seat)
      if (seat.index === 0) return { explore: () => ended.then(() => lost), replay: () => lost }
      return { explore: (job, onProgress) => explore(job, onProgress).finally(end) }
    })
    const module = join(inFolder(), "always.mjs")
    writeFileSync(module, 'export const p = { run: () => { throw new Error("the bug") } }\n')

    const failure = await failureOf(search(module, { workers: 2, runs: 2 }, { open: openSimWorker }))

    expect(failure.message).toMatch(/^the bug\nfound in run 2 of seed 0;[\s\S]*sequenceDiagram/)
    expect(opened).toEqual([0, 1, 2])
  })

  it("that hang are given up half a minute after the budget, and closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const { promise: asked, resolve: ask } = promised()
      const { open, openSimWorker } = counted(() => ({
        programs: async () => [hanging],
        explore: () => {
          ask()
          return new Promise(() => {})
        }
      }))
      const searching = search(programs("several.mjs"), { budgetMs: 1_000 }, { open: openSimWorker })
      const ended = expect(searching).rejects.toMatchObject({
        _tag: "RunStuck",
        runs: [0],
        message: "hanging: run 0 did not come back: a loop that never waits, or real work without an end"
      })
      await asked
      await vi.advanceTimersByTimeAsync(1_000 + 30_000 + 2_000)
      await ended
      expect(open.size).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
