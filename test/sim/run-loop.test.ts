import { describe, expect, it } from "vitest"
import { calmChoice } from "../../src/kernel/choice-sources.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"
import { kernelClock } from "../../src/sim/kernel-clock.ts"
import { failure, returned, runOnce, sleep } from "./fence-world.ts"

describe("A fenced run", () => {
  it("ends when its program does, with its value, its steps and its virtual time", async () => {
    const outcome = await runOnce(1, async () => {
      setTimeout(() => {}, 60_000)
      for (let at = 0; at < 3; at++) await sleep(10)
      return "value"
    })
    expect(outcome).toMatchObject({
      status: "returned",
      value: "value",
      stats: { steps: 3, coolSteps: 1, atMs: 30, left: 1, lateWork: 0, realWaits: 0 }
    })
  })

  it("does all that promises can do before the next operation happens", async () => {
    const { lines } = await runOnce(1, async ({ log }) => {
      setTimeout(() => log("timer"), 1)
      for (let at = 0; at < 1_000; at++) await new Promise<void>((resolve) => process.nextTick(resolve))
      log("ticks")
      await sleep(1)
    })
    expect(lines).toEqual(["0 ticks", "1 timer"])
  })

  it("that hangs is a deadlock, with who waits for what", async () => {
    const error = await failure(
      async () => {
        await sleep(25)
        await new Promise(() => {})
      },
      { waiting: () => ["c1 waits for an answer"] }
    )
    expect(error).toMatchObject({ _tag: "Deadlock", atMs: 25, steps: 1, waiting: ["c1 waits for an answer"] })
    expect(String(error)).toContain("after 1 steps, at 25 ms, nothing is left to happen\n  c1 waits for an answer")
  })

  it("that does not end is a livelock, of steps or of time, with what happened most", async () => {
    const forever = async (): Promise<void> => {
      for (;;) await sleep(1_000)
    }
    expect(await failure(forever, { limits: { stepsMax: 50 } })).toMatchObject({
      _tag: "Livelock",
      limit: "steps",
      steps: 50,
      busiest: ["main timeout (50)"]
    })
    expect(await failure(forever, { limits: { virtualMsMax: 5_000 } })).toMatchObject({
      _tag: "Livelock",
      limit: "time",
      atMs: 6_000
    })
  })

  it("is not kept up by what its program left behind", async () => {
    const outcome = await runOnce(1, () => void setInterval(() => {}, 1), { limits: { coolStepsMax: 7 } })
    expect(outcome).toMatchObject({ status: "returned", stats: { coolSteps: 7, left: 1 } })
  })

  it("that waits for real work too long says for which", async () => {
    const error = await failure(
      async () => {
        const { trackRealWork } = await import("../../src/sim/fence-run.ts")
        await trackRealWork("the job", new Promise(() => {}))
      },
      { limits: { realMsMax: 30 } }
    )
    expect(error).toMatchObject({ _tag: "RealWorkStuck", pending: ["the job"] })
  })

  it("fails with an error that nobody caught", async () => {
    const boom = new Error("boom")
    for (const explode of [
      () => void Promise.reject(boom),
      () =>
        process.nextTick(() => {
          throw boom
        }),
      () =>
        queueMicrotask(() => {
          throw boom
        })
    ]) {
      const error = await failure(async () => {
        await sleep(5)
        explode()
        await sleep(5)
      })
      expect(error).toBe(boom)
    }
  })

  it("counts the timers of a promise chain among the causes of what woke it", async () => {
    const { kernel } = await runOnce(1, async () => {
      await sleep(1)
      await sleep(1)
      await sleep(1)
    })
    expect(kernel.steps().map(({ op }) => [op.causedBy, op.chain])).toEqual([
      [null, 1],
      [1, 1],
      [2, 1]
    ])
  })

  it("is one for our own timers and foreign ones", async () => {
    const seen = await returned(async ({ kernel }) => {
      const clock = kernelClock(kernel, "server")
      const dates: Array<number> = []
      const forget = clock.arm(5, "forgotten", () => dates.push(-1))
      forget()
      clock.arm(2 ** 31, "never", () => dates.push(-2))
      clock.arm(7.5, "timer", () => dates.push(clock.now(), clock.wallMs(), Date.now()))
      await sleep(8)
      return dates
    })
    const epoch = Date.UTC(2030, 0, 1)
    expect(seen).toEqual([7.5, epoch + 7, epoch + 7])
  })

  it("does the same in the other order, and after runs of other programs", async () => {
    const one = (seed: number) =>
      runOnce(seed, async ({ log }) => {
        await Promise.all(
          ["a", "b", "c"].map(async (name) => {
            for (let at = 0; at < 5; at++) {
              await sleep(Math.random() * 4)
              log(name, crypto.randomUUID())
            }
          })
        )
      })
    const hash = async (seed: number): Promise<string> => (await one(seed)).stats.hash
    const forth: Array<string> = []
    for (let seed = 0; seed < 50; seed++) forth.push(await hash(seed))
    const back: Array<string> = []
    for (let seed = 49; seed >= 0; seed--) back.unshift(await hash(seed))

    expect(back).toEqual(forth)
    expect(new Set(forth).size).toBe(50)
  })

  it("goes on with a kernel that has already run", async () => {
    const kernel = makeSimKernel({ choice: calmChoice })
    kernel.plan(100, { kind: "task", label: "before", actor: "a" }, () => {})
    while (kernel.step() !== null);
    const { runFenced } = await import("../../src/sim/run-loop.ts")
    const outcome = await runFenced({ kernel, main: () => sleep(5) })
    expect(outcome).toMatchObject({ status: "returned", stats: { steps: 1, atMs: 105 } })
  })
})
