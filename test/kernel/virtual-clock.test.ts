import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { listedChoice } from "../../src/kernel/choice-sources.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import { seed } from "../support/seed.ts"

/** A clock and what fired on it: a name and the time. */
const watched = (clock: VirtualClock = makeVirtualClock()) => {
  const fired: Array<string> = []
  const arm = (ms: number, name: string, then: () => void = () => {}) =>
    clock.arm(ms, name, () => {
      fired.push(`${name}@${clock.now()}`)
      then()
    })
  return { clock, fired, arm }
}

describe("virtual time", () => {
  it("stands still until it is told to move", () => {
    const { clock, fired, arm } = watched()
    arm(0, "now")
    arm(5, "later")

    expect([clock.now(), fired, clock.armed()]).toEqual([0, [], 2])
    expect(clock.settle()).toBe(1)
    expect([clock.now(), fired, clock.armed()]).toEqual([0, ["now@0"], 1])
  })

  it("lets each timer see its own moment, also those that others start on the way", () => {
    const { clock, fired, arm } = watched()
    arm(5, "a", () => arm(3, "b", () => arm(3, "c")))
    arm(8, "d")
    arm(30, "never")

    clock.advance(20)

    expect(fired).toEqual(["a@5", "d@8", "b@8", "c@11"])
    expect([clock.now(), clock.armed()]).toEqual([20, 1])
  })

  it("fires what is due at the end of an advance, and what that makes due at once", () => {
    const { clock, fired, arm } = watched()
    arm(10, "a", () => arm(0, "b", () => arm(-5, "c")))

    clock.advance(9)
    expect(fired).toEqual([])
    clock.advance(1)
    expect(fired).toEqual(["a@10", "b@10", "c@10"])
  })

  it("fires what is due together in the order in which it was armed", () => {
    const { clock, fired, arm } = watched()
    for (const name of ["a", "b", "c"]) arm(5, name)
    arm(2, "first", () => arm(3, "d"))

    clock.advance(5)

    expect(fired).toEqual(["first@2", "a@5", "b@5", "c@5", "d@5"])
  })

  it("fires what is due together in the order that the choice source picks", () => {
    const { clock, fired, arm } = watched(makeVirtualClock(listedChoice([2, 1])))
    for (const name of ["a", "b", "c"]) arm(5, name)
    arm(6, "d")

    clock.advance(10)

    expect(fired).toEqual(["c@5", "b@5", "a@5", "d@6"])
  })

  it("asks the choice source only where there is a choice", () => {
    const asked: Array<readonly [number, string]> = []
    const draw = (n: number, label: string) => {
      asked.push([n, label])
      return 0
    }
    const { clock, arm } = watched(makeVirtualClock({ draw }))
    const forget = arm(1, "forgotten")
    for (const ms of [1, 2, 2, 3]) arm(ms, "x")
    forget()

    clock.advance(5)

    expect(asked).toEqual([[2, "schedule"]])
  })

  it("forgets a timer before and after it fired, and twice", () => {
    const { clock, fired, arm } = watched()
    const forgets = [arm(1, "a"), arm(2, "b"), arm(2, "c", () => forgets[3]?.()), arm(2, "d")]
    forgets[0]?.()
    forgets[0]?.()
    expect(clock.armed()).toBe(3)

    clock.advance(5)
    forgets[1]?.()

    expect(fired).toEqual(["b@2", "c@2"])
    expect(clock.armed()).toBe(0)
  })

  it("goes from one due moment to the next, one timer a step", () => {
    const { clock, fired, arm } = watched()
    for (const [ms, name] of [
      [7, "a"],
      [7, "b"],
      [9, "c"]
    ] as const)
      arm(ms, name)

    expect([clock.step(), clock.now(), fired.length]).toEqual([true, 7, 1])
    expect([clock.step(), clock.step(), clock.step()]).toEqual([true, true, false])
    expect(fired).toEqual(["a@7", "b@7", "c@9"])
  })

  it("stops a world that goes round in a circle without time passing", () => {
    const { clock } = watched()
    const again = (): void => void clock.arm(0, "again", again)
    again()

    expect(() => clock.settle()).toThrow("virtual time stands still at 0 ms: 1000000 events fired")
  })

  it("keeps nothing of timers that were forgotten", () => {
    const clock = makeVirtualClock()
    for (let n = 0; n < 100_000; n++) clock.arm(1_000_000, "never", () => {})()

    expect(clock.armed()).toBe(0)
    expect(clock.step()).toBe(false)
  })

  it("never goes back, and fires every timer that is not forgotten once, at its due time", () => {
    const timers = fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 30 })
    const jumps = fc.array(fc.nat(10), { maxLength: 8 })
    fc.assert(
      fc.property(timers, jumps, fc.array(fc.nat(5)), (list, advances, answers) => {
        const clock = makeVirtualClock(listedChoice(answers))
        const seen: Array<readonly [number, number]> = []
        list.forEach(([ms, isForgotten], index) => {
          const forget = clock.arm(ms, "t", () => seen.push([index, clock.now()]))
          if (isForgotten) forget()
        })
        for (const ms of [...advances, 20]) clock.advance(ms)

        const wanted = list.flatMap(([ms, isForgotten], index) => (isForgotten ? [] : [[index, ms]]))
        expect([...seen].sort(([a], [b]) => a - b)).toEqual(wanted)
        expect(seen.every(([, at], index) => at >= (seen[index - 1]?.[1] ?? 0))).toBe(true)
      }),
      { seed }
    )
  })
})
