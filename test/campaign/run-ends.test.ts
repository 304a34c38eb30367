import { expect, test } from "vitest"
import {
  Deadlock,
  ForeignRun,
  Livelock,
  type SimOptions,
  type SimWorld,
  trackRealWork,
  withSim
} from "../../src/sim.ts"

// Seen to fail when closers ran in a `finally` of the program: an error in one replaced the program's own and left the others
// out, and after a hang none ran.

const never = new Promise<void>(() => {})

/** How a run ends whose program has two closers, of which the newer fails. */
const ended = async (
  body: (sim: SimWorld) => Promise<unknown>,
  options: SimOptions = {}
): Promise<{ readonly error: unknown; readonly closed: ReadonlyArray<string> }> => {
  const closed: Array<string> = []
  const error = await withSim({ seed: 1, ...options }, async (sim) => {
    sim.onEnd(async () => {
      await sim.sleep(10)
      closed.push(`older at ${sim.now()}`)
    })
    sim.onEnd(async () => {
      closed.push("newer")
      throw new Error("of a closer")
    })
    return body(sim)
  }).then(
    () => null,
    (thrown: unknown) => thrown
  )
  return { error, closed }
}

test("the program's own error counts before that of a closer, and all closers are called", async () => {
  const { error, closed } = await ended(async (sim) => {
    await sim.sleep(5)
    throw new Error("of the program")
  })

  expect(error).toMatchObject({ message: "of the program" })
  expect(closed).toEqual(["newer", "older at 15"])
})

test("a closer that fails fails the run of a program that had not, and the others are called", async () => {
  const { error, closed } = await ended(async () => "value")

  expect(error).toMatchObject({ message: "of a closer" })
  expect(closed).toEqual(["newer", "older at 10"])
})

test.each<[string, (sim: SimWorld) => Promise<unknown>, object]>([
  ["hangs", () => never, { name: "Deadlock" }],
  [
    "left an error that nobody caught",
    async () => {
      void Promise.reject(new Error("uncaught"))
      await never
    },
    { message: "uncaught" }
  ],
  [
    "threw in a timer",
    async () => {
      setTimeout(() => {
        throw new Error("in a timer")
      }, 1)
      await never
    },
    { message: "in a timer" }
  ]
])("a program that %s is closed too", async (_, body, wanted) => {
  const { error, closed } = await ended(body)

  expect(error).toMatchObject(wanted)
  expect(closed).toHaveLength(2)
})

test("a program that does not end is closed as far as the steps of its end go", async () => {
  const forever = async (sim: SimWorld): Promise<void> => {
    for (;;) await sim.sleep(1)
  }
  const { error, closed } = await ended(forever, { limits: { stepsMax: 50, coolStepsMax: 40 } })
  const short = await ended(forever, { limits: { stepsMax: 50, coolStepsMax: 3 } })

  expect(error).toBeInstanceOf(Livelock)
  expect(closed).toEqual(["newer", "older at 60"])
  expect(short.error).toBeInstanceOf(Livelock)
  expect(short.closed).toEqual(["newer"])
})

test("a closer that hangs is a hang of a run that had not failed, and else nobody's", async () => {
  const closing = (body: () => unknown): Promise<unknown> =>
    withSim({}, (sim) => {
      sim.onEnd(() => never)
      return body()
    })

  await expect(closing(() => 1)).rejects.toThrow(Deadlock)
  await expect(
    closing(() => {
      throw new Error("of the program")
    })
  ).rejects.toThrow("of the program")
})

// Seen to fail with a sleep that never settled, so that Node ended with exit code 13.
test("nobody sleeps in a run that is over", async () => {
  const worlds: Array<SimWorld> = []
  await withSim({}, (sim) => void worlds.push(sim))

  for (const sim of worlds) await expect(sim.sleep(1)).rejects.toThrow(ForeignRun)
  await withSim({}, async (now) => {
    await now.sleep(1)
    for (const sim of worlds)
      await expect(sim.sleep(1)).rejects.toThrow("sim.sleep was called by code of a simulated run")
  })
})

// Seen to fail when such a run was given up as it was.
test("a program that waits for real work for ever is closed too", async () => {
  const stuck = async (): Promise<void> => trackRealWork("a native module", never)
  const { error, closed } = await ended(stuck, { limits: { realMsMax: 1, graceMs: 1 } })

  expect(error).toMatchObject({ _tag: "RealWorkStuck", pending: ["a native module"] })
  expect(closed).toEqual(["newer", "older at 10"])
})

test("real work that gets stuck in a closer fails the run, and those behind it are left out", async () => {
  const closed: Array<string> = []
  const run = withSim({ limits: { realMsMax: 1, graceMs: 1 } }, async (sim) => {
    sim.onEnd(async () => void closed.push("older"))
    sim.onEnd(() => trackRealWork("a native module", never))
    sim.onEnd(async () => void closed.push("newer"))
  })

  await expect(run).rejects.toMatchObject({ _tag: "RealWorkStuck" })
  expect(closed).toEqual(["newer"])
})
