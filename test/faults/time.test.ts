import { describe, expect, it } from "vitest"
import { readEvents } from "../../src/wire/sse-reader.ts"
import { type VirtualFaults, virtualFaults } from "../support/fault-world.ts"

/** When each event of an answer left, in milliseconds. */
const times = (pieces: ReadonlyArray<{ readonly at: number; readonly bytes: string | Uint8Array }>) =>
  pieces.flatMap(({ at, bytes }) => readEvents(String(bytes)).map(() => at))

const outcomes = ({ server }: VirtualFaults) => server.requests.map(({ outcome }) => outcome)

describe("Time on the fault server", () => {
  it("passes between the pieces of a partial answer, and before the drop", () => {
    const world = virtualFaults({
      sequence: ["partial_disconnect"],
      chunkSize: 13,
      chunkDelayMs: 100,
      disconnectDelayMs: 200
    })
    const response = world.ask()

    world.clock.advance(399)
    expect(response.ended).toBeNull()
    world.clock.advance(1)

    expect(times(response.pieces)).toEqual([0, 100])
    expect(response.ended).toBe("fin")
    expect(world.server.requests).toMatchObject([{ chunksSent: 2, outcome: "reset", durationMs: 400 }])
  })

  it("passes after each text of a slow answer, and not between the events that end it", () => {
    const { clock, ask } = virtualFaults({ sequence: ["slow_success"], chunkSize: 13, chunkDelayMs: 100 })
    const response = ask()

    clock.advance(1_000)

    expect(times(response.pieces)).toEqual([0, 100, 200, 200])
  })

  it("does not pass in a stall, which is settled when its silence begins", () => {
    const world = virtualFaults({ sequence: ["stall"], telemetry: "full" })
    const connection = world.http.connect()
    world.answer({ on: connection })

    expect(outcomes(world)).toEqual(["stalled"])
    world.clock.advance(500)
    connection.disconnect()
    world.clock.settle()

    expect(world.told.filter(({ type }) => type === "result")).toHaveLength(1)
    expect(world.told.at(-1)).toEqual({ type: "closed", attempt: 1, by: "client", heldMs: 500 })
  })

  it.each([
    ["slow_success", 1],
    ["stream_disconnect", 0],
    ["partial_disconnect", 1]
  ])("ends for %s with a client that leaves, with exactly one result", (behavior, chunksSent) => {
    const world = virtualFaults({ sequence: [behavior], chunkSize: 1, chunkDelayMs: 100, disconnectDelayMs: 100 })
    const connection = world.http.connect()
    world.answer({ on: connection })

    connection.disconnect()
    world.clock.advance(10_000)

    expect(world.server.requests).toMatchObject([{ outcome: "client_closed", chunksSent }])
    expect(world.told.filter(({ type }) => type === "result")).toHaveLength(1)
  })

  it("ends with close, and every record has its outcome then", async () => {
    const world = virtualFaults({ sequence: ["slow_success", "stall"], chunkDelayMs: 100 })
    const slow = world.ask()
    world.ask()
    world.clock.advance(150)

    const closing = world.server.close()
    world.clock.settle()
    await closing

    expect(slow.isComplete).toBe(false)
    expect(outcomes(world)).toEqual(["client_closed", "stalled"])
    expect(world.server.close()).toBe(closing)
    expect(world.clock.armed()).toBe(0)
    expect(() => world.http.connect()).toThrow("connection refused")
  })

  it("is each exchange's own: results come in the order of their ends", () => {
    const world = virtualFaults({ sequence: ["slow_success", "success", "rate_limit"], chunkDelayMs: 60 })

    for (let index = 0; index < 3; index++) world.ask()
    world.clock.advance(1_000)

    const results = world.told.flatMap((event) => (event.type === "result" ? [event] : []))
    expect(results.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [2, "completed"],
      [3, "completed"],
      [1, "completed"]
    ])
  })

  it("is virtual for a client that waits sixty seconds for a stalled answer", () => {
    const world = virtualFaults({ sequence: ["stall", "success"], telemetry: "full" })
    const stalled = world.http.connect()
    world.answer({ on: stalled })

    world.clock.advance(60_000)
    stalled.disconnect()
    expect(world.answer().isComplete).toBe(true)

    expect(world.server.requests[1]?.t).toBeGreaterThanOrEqual(60_000)
  })

  it("tells the same twice, time stamps included", () => {
    const run = () => {
      const world = virtualFaults({ sequence: ["random"], repeatLast: true, randomSeed: 7, telemetry: "full" })
      for (let index = 0; index < 30; index++) {
        const connection = world.http.connect()
        world.ask({ on: connection })
        world.clock.advance(40)
        connection.disconnect()
      }
      return { told: world.told, trace: world.server.traceEvents() }
    }

    expect(run()).toEqual(run())
  })

  it("adds what a profile says about the head and the pieces, and changes no choice", () => {
    const weights = [["slow_success", 1]] as const
    const base = { name: "slow", version: 1, kind: "pressure", weights } as const
    const timed = {
      ...base,
      timing: { headDelayMs: { kind: "fixed", ms: 70 }, chunkDelayMs: { kind: "fixed", ms: 5 } }
    } as const
    const { clock, ask } = virtualFaults({ sequence: ["random"], profile: timed })
    const response = ask()

    clock.advance(1_000)

    expect(times(response.pieces)).toEqual([70, 75, 80, 85, 85])
  })
})

it("a connection that vanished notices nothing, not even that its client left", () => {
  const world = virtualFaults({ sequence: ["vanish"], telemetry: "full" })
  const connection = world.http.connect()
  world.answer({ on: connection })
  world.clock.advance(1_000)

  connection.disconnect()
  world.clock.advance(1_000)
  expect(world.told.some(({ type }) => type === "closed")).toBe(false)

  world.server.close()
  world.clock.settle()
  expect(world.told.at(-1)).toMatchObject({ type: "closed", by: "server" })
  expect(world.http.connections()).toBe(0)
})
