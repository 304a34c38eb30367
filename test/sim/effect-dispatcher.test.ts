import { expect, test } from "vitest"
import { makeEffectDispatcher } from "../../src/sim/effect-dispatcher.ts"

/** Plans into a list, from which a test lets happen what it likes. */
const planning = () => {
  const planned: Array<() => void> = []
  const seen: Array<string> = []
  const dispatcher = makeEffectDispatcher((task) => {
    planned.push(task)
    return () => void planned.splice(planned.indexOf(task), 1)
  })
  const add = (name: string, priority: number, then = () => {}): void =>
    dispatcher.scheduleTask(() => {
      seen.push(name)
      then()
    }, priority)
  const run = (at: number): void => planned.splice(at, 1)[0]?.()
  return { planned, seen, dispatcher, add, run }
}

test("tasks of one priority may run in any order", () => {
  const { planned, seen, add, run } = planning()
  for (const name of ["a", "b", "c"]) add(name, 0)

  expect(planned).toHaveLength(3)
  run(2)
  run(0)
  run(0)

  expect(seen).toEqual(["c", "a", "b"])
})

// Seen to fail when a task is planned at once whatever its priority is.
test("a task waits for those of a lower number that were there before it, and for no others", () => {
  const { planned, seen, add, run } = planning()
  add("a", 0)
  add("late", 1)
  add("b", 0)
  add("last", 2)

  expect(planned).toHaveLength(2)
  run(1)
  expect(seen).toEqual(["b"])
  run(0)
  expect(planned).toHaveLength(1)
  run(0)
  run(0)

  expect(seen).toEqual(["b", "a", "late", "last"])
  expect(planned).toEqual([])
})

test("a flush runs everything in order, and what that adds, and leaves nothing planned", () => {
  const { planned, seen, dispatcher, add } = planning()
  add("a", 0, () => add("c", 0))
  add("b", 1)

  dispatcher.flush()

  expect(seen).toEqual(["a", "b", "c"])
  expect(planned).toEqual([])
})
