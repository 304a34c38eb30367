import { expect, test } from "vitest"
import { leaveUnread, unreadMs, type WatchedOutput } from "../../src/live/unread-output.ts"

/** Output of which so many bytes are left. */
const output = (writableLength: number) => {
  const waits: Array<number> = []
  let still = (): void => {}
  const watched: WatchedOutput = {
    writableLength,
    setTimeout(ms, then) {
      waits.push(ms)
      still = then
    }
  }
  return { watched, waits, standStill: () => still() }
}

/** Whether the process was ended when that had happened to its outputs. */
const leaving = (...outputs: ReadonlyArray<ReturnType<typeof output>>) => {
  let isEnded = false
  const exit = (): void => {
    isEnded = true
  }
  leaveUnread(
    outputs.map(({ watched }) => watched),
    { exit }
  )
  return { isEnded: () => isEnded }
}

test("a process is ended when nobody takes anything of its output", () => {
  const stdout = output(100)
  const process = leaving(stdout, output(0))
  expect({ waits: stdout.waits, isEnded: process.isEnded() }).toEqual({ waits: [unreadMs], isEnded: false })

  stdout.standStill()

  expect(process.isEnded()).toBe(true)
})

// Seen to fail when the first output that stands still ends it.
test("but not while something is taken of another output", () => {
  const [stdout, stderr] = [output(100), output(100)]
  const process = leaving(stdout, stderr)

  stdout.standStill()
  stdout.standStill()
  expect(process.isEnded()).toBe(false)
  stderr.standStill()

  expect(process.isEnded()).toBe(true)
})

// Files have no such times, and nothing is ever left of what is written to them.
test("nothing is asked of an output that has nothing left", () => {
  const stdout = output(0)
  const process = leaving(stdout)

  expect({ waits: stdout.waits, isEnded: process.isEnded() }).toEqual({ waits: [], isEnded: false })
})
