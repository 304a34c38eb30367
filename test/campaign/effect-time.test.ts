import { Clock, Duration, Effect, Exit, Random, Schedule } from "effect"
import { describe, expect, it } from "vitest"
import { oneRun, type Runtime } from "./effect-world.ts"

/** Fails four times, three seconds each, and backs off with jitter. */
const flaky = Effect.gen(function* () {
  let tries = 0
  const call = Effect.gen(function* () {
    yield* Effect.sleep("3 seconds")
    if (++tries < 5) return yield* Effect.fail("unavailable")
    return tries
  })
  const schedule = Schedule.exponential("1 second").pipe(Schedule.jittered)
  return { tries: yield* Effect.retry(call, schedule), at: yield* Clock.currentTimeMillis }
})

/** A program of everything that could differ from run to run. */
const busy = ({ runPromise }: Runtime) =>
  runPromise(
    Effect.gen(function* () {
      const slow = Effect.as(Effect.sleep("10 minutes"), "slow")
      const raced = yield* Effect.race(slow, Effect.as(Effect.sleep("2 minutes"), "quick"))
      const timed = yield* Effect.exit(Effect.timeout(slow, "1 minute"))
      const all = yield* Effect.all([flaky, flaky, flaky], { concurrency: 2 })
      return { raced, timedOut: Exit.isFailure(timed), all, dice: yield* Random.nextIntBetween(1, 6) }
    }).pipe(Effect.withSpan("busy"))
  )

describe("A program of Effect in virtual time", () => {
  it("backs off, times out and races without waiting", async () => {
    const { value, steps } = await oneRun(1, busy)

    expect(value).toMatchObject({ raced: "quick", timedOut: true, all: [{ tries: 5 }, { tries: 5 }, { tries: 5 }] })
    expect(steps.at(-1)?.at).toBeGreaterThan(3 * 60_000)
  })

  // Seen to fail when the numbers of fibers, which are those of the process, come into a label.
  it("is the same run for the same seed, whatever ran in the process before", async () => {
    const runs = []
    for (let n = 0; n < 10; n++) {
      for (let other = 0; other < n; other++) Effect.runFork(Effect.void)
      runs.push(await oneRun(7, busy, { actor: "ann", preempts: true }))
    }

    expect(new Set(runs.map(({ hash }) => hash)).size).toBe(1)
    expect(new Set(runs.map(({ value }) => JSON.stringify(value))).size).toBe(1)
    expect((await oneRun(8, busy, { actor: "ann", preempts: true })).hash).not.toBe(runs[0]?.hash)
  })

  it("reads the time of its run from every clock", async () => {
    const { value } = await oneRun({}, ({ runPromise }, sim) =>
      runPromise(
        Effect.gen(function* () {
          const before = yield* Clock.monotonicTimeNanos
          yield* Effect.sleep("90 minutes")
          return {
            now: sim.now(),
            passed: Number((yield* Clock.monotonicTimeNanos) - before) / 1_000_000,
            ahead: (yield* Clock.currentTimeMillis) - Date.now(),
            nanos: Number((yield* Clock.currentTimeNanos) / 1_000_000n) - Date.now()
          }
        })
      )
    )

    expect(value).toEqual({ now: 5_400_000, passed: 5_400_000, ahead: 0, nanos: 0 })
  })

  it("sleeps as live: whole milliseconds, at least one, and longer than Node's timers last", async () => {
    const { value } = await oneRun({}, ({ runPromise }, sim) =>
      runPromise(
        Effect.gen(function* () {
          const times = []
          for (const ms of [0.25, 1.75, 2 ** 31 + 5]) {
            const before = sim.now()
            yield* Effect.sleep(Duration.millis(ms))
            times.push(sim.now() - before)
          }
          return times
        })
      )
    )

    expect(value).toEqual([1, 1, 2 ** 31 + 5])
  })

  it("lets others go first when it sleeps for no time, and never wakes from an endless sleep", async () => {
    const { value, left } = await oneRun({}, ({ runPromise, runFork }, sim) => {
      runFork(Effect.sleep(Duration.infinity))
      return runPromise(Effect.as(Effect.sleep(0), sim.now()))
    })

    expect({ value, left }).toEqual({ value: 0, left: 0 })
  })

  it("draws chance from the run, and ids of spans from its seed alone", async () => {
    const program = ({ runPromise }: Runtime) =>
      runPromise(
        Effect.gen(function* () {
          const outer = yield* Effect.currentSpan
          const inner = yield* Effect.withSpan(Effect.currentSpan, "inner")
          return { ids: [outer.traceId, outer.spanId, inner.traceId, inner.spanId], dice: yield* Random.next }
        }).pipe(Effect.withSpan("outer"))
      )
    const [one, again, other] = [await oneRun(1, program), await oneRun(1, program), await oneRun(2, program)]

    expect(again.value).toEqual(one.value)
    expect(other.value.dice).not.toBe(one.value.dice)
    expect(other.value.ids).not.toEqual(one.value.ids)
    expect(new Set(one.value.ids).size).toBe(3)
    expect(one.value.ids.map((id) => /^[0-9a-f]+$/.test(id) && id.length)).toEqual([32, 16, 32, 16])
    expect(one.draws.map(({ label }) => label)).toEqual(["random/1"])
  })
})
