import { describe, expect, it } from "vitest"
import { calmChoice, listedChoice, seededChoice } from "../../src/kernel/choice-sources.ts"
import { makeSimKernel, type ScheduleChoice, type SimKernelOptions } from "../../src/kernel/sim-kernel.ts"

/** A kernel whose operations write their labels down. */
const world = (options: Partial<SimKernelOptions> = {}) => {
  const kernel = makeSimKernel({ choice: calmChoice, ...options })
  const seen: Array<string> = []
  const plan = (ms: number, label: string, more: { readonly channel?: string; readonly andThen?: () => void } = {}) =>
    kernel.plan(
      ms,
      { kind: "deliver", label, actor: "a", ...(more.channel === undefined ? {} : { channel: more.channel }) },
      () => {
        seen.push(label)
        more.andThen?.()
      }
    )
  const run = (): ReadonlyArray<string> => {
    while (kernel.step() !== null);
    return seen
  }
  return { kernel, plan, run, seen }
}

describe("The simulation kernel", () => {
  it("lets happen what is due first, and of equals what was planned first", () => {
    const { plan, run, kernel } = world()
    plan(5, "late")
    plan(1, "first")
    plan(1, "second")

    expect(run()).toEqual(["first", "second", "late"])
    expect(kernel.now()).toBe(5)
    expect(kernel.step()).toBeNull()
  })

  it("lets the choice source pick among those that are due together", () => {
    const { plan, run, kernel } = world({ choice: listedChoice([2, 1]) })
    for (const label of ["a", "b", "c"]) plan(1, label)

    expect(run()).toEqual(["c", "b", "a"])
    expect(kernel.draws).toEqual([
      { label: "schedule", n: 3, answer: 2 },
      { label: "schedule", n: 2, answer: 1 }
    ])
  })

  it("keeps the order of a channel, whatever is picked and however soon a later one is due", () => {
    for (let seed = 0; seed < 50; seed++) {
      const { plan, run } = world({ choice: seededChoice(seed), isUntimed: true })
      plan(9, "x1", { channel: "x" })
      plan(1, "x2", { channel: "x" })
      plan(5, "y1", { channel: "y" })
      plan(0, "y2", { channel: "y" })
      plan(3, "free")

      const order = run()

      expect(order.indexOf("x1")).toBeLessThan(order.indexOf("x2"))
      expect(order.indexOf("y1")).toBeLessThan(order.indexOf("y2"))
    }
  })

  it("reaches every interleaving of two channels", () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 200; seed++) {
      const { plan, run } = world({ choice: seededChoice(seed), isUntimed: true })
      for (const label of ["x1", "x2"]) plan(0, label, { channel: "x" })
      for (const label of ["y1", "y2"]) plan(0, label, { channel: "y" })
      orders.add(run().join())
    }

    expect(orders.size).toBe(6)
  })

  it("lets what is due within the window happen early", () => {
    const { plan, run } = world({ choice: listedChoice([1]), windowMs: 2 })
    plan(1, "a")
    plan(3, "b")
    plan(4, "c")

    expect(run()).toEqual(["b", "a", "c"])
  })

  it("lets nothing that is due later happen before what is prompt, however free the order is", () => {
    const spec = { kind: "task", actor: "a" } as const
    for (const options of [{ isUntimed: true }, { windowMs: 9 }]) {
      const { kernel, plan, run, seen } = world({ choice: listedChoice([1, 1, 1, 1]), ...options })
      plan(0, "now")
      plan(5, "late")
      kernel.enabled()
      kernel.plan(2, { ...spec, label: "prompt", isPrompt: true }, () => seen.push("prompt"))
      kernel.plan(1, { ...spec, label: "forgotten", isPrompt: true }, () => seen.push("forgotten"))()

      expect(run()).toEqual(["prompt", "late", "now"])
    }
  })

  it("lets what is due first happen in the end, whatever a chain without end is picked for", () => {
    const pick: ScheduleChoice["pick"] = (enabled) =>
      Math.max(
        0,
        enabled.findIndex(({ label }) => label === "beat")
      )
    for (const choice of [listedChoice([1]), { ...calmChoice, pick }]) {
      const { kernel, plan, seen } = world({ choice, isUntimed: true })
      const beat = (): void => void plan(9, "beat", { andThen: beat })
      plan(1, "once")
      beat()
      for (let step = 0; step < 1_001; step++) kernel.step()

      expect(seen.indexOf("once")).toBe(1_000)
    }
  })

  it("forgets what was taken back, also in the middle of a channel", () => {
    const { plan, run, kernel } = world()
    plan(1, "x1", { channel: "x" })
    const forget = plan(2, "x2", { channel: "x" })
    plan(3, "x3", { channel: "x" })
    const first = plan(0, "free")
    forget()
    first()
    first()

    expect(kernel.planned()).toBe(2)
    expect(run()).toEqual(["x1", "x3"])
    expect(kernel.planned()).toBe(0)
  })

  it("says what may happen next without letting it happen", () => {
    const { plan, kernel } = world({ isUntimed: true })
    plan(2, "late")
    plan(1, "x1", { channel: "x" })
    plan(1, "x2", { channel: "x" })

    expect(kernel.enabled().map(({ label }) => label)).toEqual(["x1", "late"])
    expect(kernel.enabled()).toHaveLength(2)
    expect(kernel.now()).toBe(0)
  })

  it("lets happen first what was planned after a look at what may happen, when it is due earlier", () => {
    const { plan, run, kernel } = world()
    plan(5, "late")
    plan(5, "too")

    expect(kernel.enabled()).toHaveLength(2)
    plan(1, "early")

    expect(kernel.enabled().map(({ label }) => label)).toEqual(["early"])
    expect(run()).toEqual(["early", "late", "too"])
  })

  it("forgets what might have happened next, and lets its channel go on", () => {
    const { plan, run, kernel } = world({ isUntimed: true })
    const forget = plan(1, "x1", { channel: "x" })
    plan(2, "x2", { channel: "x" })
    plan(3, "free")
    kernel.enabled()
    forget()

    expect(kernel.enabled().map(({ label }) => label)).toEqual(["x2", "free"])
    expect(run()).toEqual(["x2", "free"])
  })

  it("goes on with a channel whose forgotten first was swept away", () => {
    const { plan, run } = world()
    const forgets = Array.from({ length: 1_500 }, (_, index) => plan(9, `y${index}`, { channel: `y${index}` }))
    for (let index = 0; index < 1_500; index++) plan(10, "next", { channel: `y${index}` })
    for (const forget of forgets) forget()

    expect(run()).toEqual(Array(1_500).fill("next"))
  })

  it("keeps the newest steps, with the draws before each", () => {
    const { plan, run, kernel } = world({ choice: listedChoice([1, 0, 1]), stepsMax: 2 })
    for (const label of ["a", "b", "c"]) plan(0, label, { andThen: () => void kernel.choice.draw(5, label) })
    run()

    expect(kernel.steps().map(({ step, op, draws }) => [step, op.label, draws.map(({ label }) => label)])).toEqual([
      [2, "c", ["b", "schedule"]],
      [3, "a", ["c"]]
    ])
  })

  it("asks a source that picks at every step, and records only where there was a choice", () => {
    const asked: Array<number> = []
    const pick: NonNullable<SimKernelOptions["choice"]["pick"]> = (enabled) =>
      asked.push(enabled.length) && enabled.length - 1
    const { plan, run, kernel } = world({ choice: { ...calmChoice, pick } })
    for (const label of ["a", "b"]) plan(0, label)

    expect(run()).toEqual(["b", "a"])
    expect(asked).toEqual([2, 1])
    expect(kernel.draws).toEqual([{ label: "schedule", n: 2, answer: 1 }])
  })

  it("names an operation by its cause and its place among what that planned", () => {
    const { plan, run, kernel } = world()
    plan(0, "root", { andThen: () => ["first", "second"].forEach((label) => void plan(0, label)) })
    plan(0, "stranger")
    run()

    expect(kernel.steps().map(({ op }) => [op.label, op.causedBy, op.nth])).toEqual([
      ["root", null, 0],
      ["stranger", null, 1],
      ["first", 1, 0],
      ["second", 1, 1]
    ])
  })

  it("carries a chain on by the first operation that an operation plans", () => {
    const { plan, kernel, run } = world()
    plan(0, "root", {
      andThen() {
        plan(0, "next")
        plan(0, "other")
      }
    })
    plan(0, "stranger")
    run()

    const chains = Object.fromEntries(kernel.steps().map(({ op }) => [op.label, [op.chain, op.causedBy]]))
    expect(chains).toEqual({ root: [1, null], stranger: [2, null], next: [1, 1], other: [3, 1] })
  })

  it("has one hash for a seed, and others for others", () => {
    const hashOf = (seed: number): string => {
      const { plan, run, kernel } = world({ choice: seededChoice(seed) })
      for (let index = 0; index < 20; index++) plan(index % 3, `op${index}`)
      run()
      return kernel.hash()
    }

    expect(new Set([1, 1, 1].map(hashOf)).size).toBe(1)
    expect(new Set(Array.from({ length: 100 }, (_, seed) => hashOf(seed))).size).toBe(100)
  })

  it("can be run again from its draws", () => {
    const run = (choice: SimKernelOptions["choice"]) => {
      const { plan, run, kernel } = world({ choice })
      for (let index = 0; index < 20; index++) {
        plan(index % 2, `op${index}`, {
          andThen: () => void (kernel.choice.draw(3, "fault") === 2 && plan(1, "extra"))
        })
      }
      return { order: [...run()], hash: kernel.hash(), draws: kernel.draws }
    }
    const first = run(seededChoice(11))

    expect(run(listedChoice(first.draws.map(({ answer }) => answer)))).toEqual(first)
  })

  it("goes on after an operation that throws", () => {
    const { plan, run } = world()
    plan(0, "bad", {
      andThen() {
        throw new Error("an operation")
      }
    })
    plan(0, "good")

    expect(run).toThrow("an operation")
    expect(run()).toEqual(["bad", "good"])
  })

  it("says what is planned and when, whichever channel was planned into first", () => {
    const looks = [
      ["a", "b", "c"],
      ["c", "a", "b"]
    ].map((labels) => {
      const { plan, kernel } = world()
      for (const label of labels) plan(2, label, label === "c" ? {} : { channel: "one" })
      plan(1, "gone")()
      return kernel.outlook()
    })
    const { plan, kernel } = world()
    for (const label of ["b", "a", "c"]) plan(2, label, label === "c" ? {} : { channel: "one" })

    expect(looks[0]).toBe('0 [2,"deliver","c","a",""] [2,"deliver","a","a","one"] [2,"deliver","b","a","one"] ')
    expect(looks[1]).toBe(looks[0])
    expect(kernel.outlook()).not.toBe(looks[0])
    while (kernel.step() !== null);
    expect(kernel.outlook()).toBe("2  ")
  })

  it("says what parts of its world keep, whichever came first", () => {
    const { kernel } = world()
    const other = world().kernel
    const forget = kernel.kept.add(() => "b")
    kernel.kept.add(() => "a")
    for (const text of ["a", "b"]) other.kept.add(() => text)

    expect(kernel.outlook()).toBe(other.outlook())
    forget()
    expect(kernel.outlook()).not.toBe(other.outlook())
  })
})
