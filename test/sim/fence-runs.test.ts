import { AsyncLocalStorage } from "node:async_hooks"
import { createRequire } from "node:module"
import { Duplex } from "node:stream"
import { Agent, request } from "undici"
import { describe, expect, it } from "vitest"
import { realTimers, restoreFence } from "../../src/sim/fence.ts"
import { foreignCallCount } from "../../src/sim/fence-run.ts"
import { failure, returned, runOnce, sleep } from "./fence-world.ts"

/** Node's own, kept from before any fence. */
const realSetTimeout = realTimers().setTimeout
const realSleep = (ms: number): Promise<void> => new Promise((resolve) => realSetTimeout(resolve, ms))

describe("Code of a run that is over", () => {
  it("gets neither timers nor draws, and disturbs no later run", async () => {
    const before = foreignCallCount()
    const hashes = new Set<string>()
    const errors: Array<unknown> = []
    for (let run = 0; run < 20; run++) {
      if (run % 2 === 1) await leaveZombie(errors)
      const outcome = await runOnce(
        2,
        async ({ log }) => {
          for (let at = 0; at < 30; at++) {
            await sleep(Math.random() * 10)
            log(at)
            // Real time, so that the zombie has its chance in the middle of a run.
            if (at === 10) await realSleep(3)
          }
        },
        { allow: ["timers"], limits: { graceMs: 1_000 } }
      )
      expect(outcome.status).toBe("returned")
      hashes.add(outcome.stats.hash)
    }
    expect(hashes.size).toBe(1)
    expect(errors.length).toBeGreaterThan(10)
    for (const error of errors) expect(error).toMatchObject({ _tag: "ForeignRun" })
    expect(foreignCallCount() - before).toBe(errors.length)
  })

  it("may read the clock, which stands still at its run's end", async () => {
    const years: Array<number> = []
    await runOnce(
      1,
      async () => {
        void realSleep(5).then(() => years.push(new Date().getUTCFullYear()))
        await sleep(1)
      },
      { allow: ["timers"] }
    )
    await realSleep(20)
    expect(years).toEqual([2_030])
  })

  it("fails nobody when its errors are caught by no one", async () => {
    await runOnce(1, () => void realSleep(5).then(() => setTimeout(() => {}, 1)), { allow: ["timers"] })
    const outcome = await runOnce(1, () => realSleep(20), { allow: ["timers"], limits: { graceMs: 1_000 } })
    expect(outcome.status).toBe("returned")
  })
})

/** A run that ends while a loop of it goes on in real time. */
const leaveZombie = async (errors: Array<unknown>): Promise<void> => {
  await runOnce(
    1,
    () => {
      void (async () => {
        for (let at = 0; at < 30; at++) {
          await realSleep(1)
          for (const call of [() => Math.random(), () => setTimeout(() => {}, 1), () => AbortSignal.timeout(1)]) {
            try {
              call()
            } catch (error) {
              errors.push(error)
            }
          }
        }
      })()
    },
    { allow: ["timers"] }
  )
}

describe("A timer that outlives its run", () => {
  it("fires in the run that refreshes it, as code of that run", async () => {
    let timer: NodeJS.Timeout | undefined
    const fired: Array<string> = []
    await runOnce(1, () => {
      timer = setTimeout(() => {
        fired.push(new Date().toISOString())
        Math.random()
      }, 100)
      clearTimeoutLater(timer)
    })
    const outcome = await runOnce(2, async ({ kernel }) => {
      timer?.refresh()
      await sleep(150)
      return kernel.draws.map(({ label }) => label)
    })
    expect(fired.at(-1)).toBe("2030-01-01T00:00:00.100Z")
    expect(outcome).toMatchObject({ status: "returned", value: ["random/1"] })
  })

  it("fires in real time when it is refreshed outside a run", async () => {
    let timer: NodeJS.Timeout | undefined
    let fired = 0
    await runOnce(1, () => {
      timer = setTimeout(() => fired++, 10)
    })
    expect(fired).toBe(1)
    timer?.refresh()
    expect(fired).toBe(1)
    await realSleep(30)
    expect(fired).toBe(2)
  })

  it("may be a real one from before the run, and be real again after it", async () => {
    let fired = 0
    const timer = realSetTimeout(() => fired++, 40)
    const inside = await returned(async () => {
      timer.refresh()
      await sleep(39)
      const early = fired
      await sleep(2)
      return [early, fired]
    })
    expect(inside).toEqual([0, 1])
    await realSleep(60)
    expect(fired).toBe(1)
    timer.refresh()
    await realSleep(60)
    expect(fired).toBe(2)
  })

  it("is forgotten when it is cleared, whatever it was", async () => {
    let fired = 0
    const timer = realSetTimeout(() => fired++, 20)
    await returned(async () => {
      timer.refresh()
      clearTimeout(timer)
      await sleep(100)
    })
    await realSleep(40)
    expect(fired).toBe(0)
  })
})

const clearTimeoutLater = (timer: NodeJS.Timeout): void => {
  timer.unref()
}

/** The module inside undici that keeps one timer for the whole process. */
const undiciTimers: {
  readonly setFastTimeout: (fire: (value: unknown) => void, ms: number) => unknown
} = createRequire(import.meta.url)("undici/lib/util/timers.js")

/** A socket that takes everything and says nothing. */
const silentSocket = (): Duplex =>
  Object.assign(
    new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        done()
      }
    }),
    { ref() {}, unref() {}, setNoDelay() {}, setKeepAlive() {}, alpnProtocol: null }
  )

describe("The timers of undici", () => {
  const { setFastTimeout } = undiciTimers

  it("fire in virtual time in each of many runs, also when they were first used in real time", async () => {
    restoreFence()
    await new Promise((resolve) => setFastTimeout(resolve, 1_001))
    // Its list is empty again at its next real tick.
    await realSleep(600)
    const hashes = new Set<string>()
    for (let run = 0; run < 20; run++) {
      const outcome = await runOnce(5, async ({ log }) => {
        await new Promise((resolve) => setFastTimeout(resolve, 2_000))
        log("fast timer")
        log(await headersTimeout())
      })
      if (outcome.status === "failed") throw outcome.error
      expect(outcome.lines[0]).toMatch(/^2\d\d\d fast timer$/)
      expect(outcome.lines[1]).toMatch(/^[45]\d\d\d UND_ERR_HEADERS_TIMEOUT$/)
      hashes.add(outcome.stats.hash)
    }
    expect(hashes.size).toBe(1)
  })

  /** Undici's timer for the whole process ends a request whose peer says nothing. */
  const headersTimeout = async (): Promise<unknown> => {
    const agent = new Agent({
      connect: (_options, callback) => void setImmediate(() => Reflect.apply(callback, null, [null, silentSocket()])),
      headersTimeout: 1_500,
      bodyTimeout: 0
    })
    const error = await request("http://sim.test/", { dispatcher: agent }).catch((reason: unknown) => reason)
    await agent.destroy()
    return error instanceof Error && "code" in error ? error.code : error
  }
})

describe("The context of a client's own", () => {
  it("follows timers, immediates and jobs of the thread pool", async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen = await returned(() =>
      storage.run("mine", async () => {
        const stores: Array<string | undefined> = []
        const note = (): void => void stores.push(storage.getStore())
        await new Promise<void>((resolve) => setTimeout(() => resolve(note()), 5))
        await new Promise<void>((resolve) => setImmediate(() => resolve(note())))
        await crypto.subtle.digest("SHA-256", new Uint8Array(3))
        note()
        return stores
      })
    )
    expect(seen).toEqual(["mine", "mine", "mine"])
  })
})

describe("Runs of one process", () => {
  it("wait for each other", async () => {
    let active = 0
    const runs = [1, 2, 3].map((seed) =>
      runOnce(seed, async () => {
        expect(++active).toBe(1)
        await sleep(10)
        active--
      })
    )
    for (const outcome of await Promise.all(runs)) expect(outcome.status).toBe("returned")
  })

  it("cannot begin inside one another", async () => {
    expect(await failure(() => returned(() => 1))).toMatchObject({ _tag: "FenceRefused" })
  })
})
