import { describe, expect, it } from "vitest"
import type { TraceFact } from "../../src/domain/trace-event.ts"
import { makeTrace, traceBoundsDefault } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"

const request = (number: number, path = "/"): TraceFact => ({ type: "request", request: number, method: "GET", path })

const open = (bounds = traceBoundsDefault) => {
  const clock = makeVirtualClock()
  return { clock, trace: makeTrace(clock, bounds) }
}

describe("a trace", () => {
  it("numbers what happens and says when", () => {
    const { clock, trace } = open()
    trace.record(request(1))
    clock.advance(5)
    trace.record(request(2))

    expect(trace.events()).toEqual([
      { ...request(1), index: 0, at: 0 },
      { ...request(2), index: 1, at: 5 }
    ])
  })

  it("keeps the newest events, as many as its bound says", () => {
    const { trace } = open({ ...traceBoundsDefault, traceEntriesMax: 3 })
    for (let n = 1; n <= 10_000; n++) {
      trace.record(request(n))
      expect(trace.events()).toHaveLength(Math.min(n, 3))
    }

    expect(trace.events().map(({ index }) => index)).toEqual([9_997, 9_998, 9_999])
  })

  it("keeps no more bytes than its bound says, but always the newest event", () => {
    const { trace } = open({ ...traceBoundsDefault, traceBytesMax: 1_000 })
    for (let n = 1; n <= 100; n++) trace.record(request(n, "x".repeat(33)))
    expect(trace.events()).toHaveLength(10)

    trace.record(request(101, "x".repeat(10_000)))
    expect(trace.events().map(({ index }) => index)).toEqual([100])

    for (let n = 102; n <= 120; n++) trace.record(request(n, "x".repeat(33)))
    expect(trace.events().map(({ index }) => index)).toEqual([110, 111, 112, 113, 114, 115, 116, 117, 118, 119])
  })

  it("gives copies: later events do not change them", () => {
    const { trace } = open()
    trace.record(request(1))
    const before = trace.events()
    trace.record(request(2))

    expect(before).toHaveLength(1)
  })

  it("shows every later event to its watchers, in order, until they stop", () => {
    const { trace } = open({ ...traceBoundsDefault, traceEntriesMax: 1 })
    const seen: Array<string> = []
    trace.record(request(1))
    const stop = trace.watch(({ index }) => seen.push(`a${index}`))
    trace.watch(({ index }) => seen.push(`b${index}`))
    trace.record(request(2))
    stop()
    stop()
    trace.record(request(3))

    expect(seen).toEqual(["a1", "b1", "b2"])
  })

  it("may be watched and left from inside a watcher", () => {
    const { trace } = open()
    const seen: Array<number> = []
    const stop = trace.watch(({ index }) => {
      seen.push(index)
      stop()
    })
    trace.record(request(1))
    trace.record(request(2))

    expect(seen).toEqual([0])
  })
})
