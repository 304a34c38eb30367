import { describe, expect, it } from "vitest"
import { virtualFaults } from "../support/fault-world.ts"

const baseURL = "http://127.0.0.1:1/v1"

describe("A gap", () => {
  it("refuses connects for its time, and the script goes on behind it", () => {
    const { server, clock, http, answer, told } = virtualFaults({
      sequence: ["success", "connection_refused:300", "success"]
    })

    expect(answer().isComplete).toBe(true)
    clock.advance(100)
    expect(() => http.connect()).toThrow("connection refused")
    clock.advance(300)
    expect(answer().isComplete).toBe(true)

    expect(server.requests.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(told.map(({ type }) => type)).toEqual(["request", "result", "unavailable", "available", "request", "result"])
    expect(told[2]).toEqual({ type: "unavailable", baseURL, listenDelayMs: 300 })
    expect(told[3]).toEqual({ type: "available", baseURL })
  })

  it("leaves a stream in progress alone", () => {
    const world = virtualFaults({
      sequence: ["slow_success", "success", "connection_refused:300", "success"],
      chunkDelayMs: 100
    })
    const slow = world.ask()
    world.clock.settle()
    world.answer()

    expect(() => world.http.connect()).toThrow("connection refused")
    world.clock.advance(1_000)

    expect(slow.isComplete).toBe(true)
    expect(world.answer().isComplete).toBe(true)
  })

  it("ends idle connections, so that no pool slips a request through", () => {
    const world = virtualFaults({ sequence: ["success", "connection_refused:300", "success"] })
    const pooled = world.http.connect()
    world.answer({ on: pooled })

    expect(pooled.isOpen).toBe(false)
  })

  it("adds to the gap before it", () => {
    const { clock, http, answer } = virtualFaults({
      sequence: ["success", "connection_refused:300", "connection_refused:200", "success"]
    })
    answer()

    clock.advance(499)
    expect(() => http.connect()).toThrow()
    clock.advance(1)
    clock.settle()
    expect(http.connect().isOpen).toBe(true)
  })

  it("at the end is run once, and then the last behaviour repeats", () => {
    const { clock, http, answer, told } = virtualFaults({
      sequence: ["success", "connection_refused:300"],
      repeatLast: true
    })
    answer()

    expect(() => http.connect()).toThrow()
    clock.advance(300)
    answer()
    answer()

    expect(told.filter(({ type }) => type === "unavailable")).toHaveLength(1)
  })

  it("in simulation may be one refused connect, anywhere in a script", () => {
    const { clock, http, answer } = virtualFaults({
      sequence: ["connection_refused", "success", "connection_refused", "connection_refused", "success"]
    })

    clock.settle()
    expect(() => http.connect()).toThrow()
    clock.settle()
    expect(answer().isComplete).toBe(true)
    expect(() => http.connect()).toThrow()
    clock.settle()
    expect(() => http.connect()).toThrow()
    clock.settle()
    expect(answer().isComplete).toBe(true)
  })

  it("may be asked for by the test", () => {
    const { server, clock, http, answer, told } = virtualFaults({ sequence: ["success"], repeatLast: true })

    server.refuse()
    clock.settle()
    expect(() => http.connect()).toThrow()
    server.accept()
    clock.settle()
    expect(answer().isComplete).toBe(true)
    server.refuse({ ms: 50 })
    clock.settle()
    expect(() => http.connect()).toThrow()
    clock.advance(50)
    expect(answer().isComplete).toBe(true)

    expect(told.filter(({ type }) => type === "unavailable" || type === "available")).toEqual([
      { type: "unavailable", baseURL, listenDelayMs: null },
      { type: "available", baseURL },
      { type: "unavailable", baseURL, listenDelayMs: 50 },
      { type: "available", baseURL }
    ])
    expect(() => server.refuse({ ms: -1 })).toThrow("integer between 0 and 2147483647")
  })

  it("ends with close", async () => {
    const { server, clock } = virtualFaults({ sequence: ["success"], repeatLast: true })
    server.refuse()
    clock.settle()

    const closing = server.close()
    clock.settle()
    await closing

    expect(clock.armed()).toBe(0)
    await server.closed
  })
})
