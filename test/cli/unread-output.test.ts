import { expect, test } from "vitest"
import { leaveUnread, unreadMs } from "../../src/cli/unread-output.ts"
import type { Clock } from "../../src/kernel/clock.ts"

/** A clock that goes on from timer to timer, and output of which so many bytes are left when each of them is over. */
const leaving = (left: ReadonlyArray<number>) => {
  const output = { writableLength: left[0] ?? 0 }
  let passedMs = 0
  let exitedAt: number | null = null
  let timer: { readonly ms: number; readonly fire: () => void } | null = null
  const clock: Pick<Clock, "arm"> = {
    arm(ms, _, fire) {
      timer = { ms, fire }
      return () => {}
    }
  }
  const exit = (): void => {
    exitedAt = passedMs
  }
  leaveUnread([output], { clock, exit })
  for (let looks = 1; timer !== null && exitedAt === null && looks < 1_000; looks++) {
    const { ms, fire }: { readonly ms: number; readonly fire: () => void } = timer
    timer = null
    passedMs += ms
    output.writableLength = left[looks] ?? left.at(-1) ?? 0
    fire()
  }
  return { exitedAt, isArmed: timer !== null }
}

// Seen to fail when the time counts from the stop, and when it is not watched.
test("a process is ended when nobody has taken anything of its output for ten seconds", () => {
  expect(leaving([100])).toMatchObject({ exitedAt: unreadMs })
  expect(leaving([300, 300, 300, 200, 200, 100])).toMatchObject({ exitedAt: unreadMs + 2_500 })
})

test("it ends by itself when all is taken", () => {
  expect(leaving([0])).toEqual({ exitedAt: null, isArmed: false })
  expect(leaving([300, 200, 0])).toEqual({ exitedAt: null, isArmed: false })
})
