import { describe, expect, it } from "vitest"
import { virtualFaults } from "../support/fault-world.ts"

const isRefused = (connect: () => unknown): boolean => {
  try {
    connect()
    return false
  } catch {
    return true
  }
}

describe("Gaps and what ends them", () => {
  it("closing with an exchange open before a gap begins none: nothing is told, and no timer is left", async () => {
    const { server, clock, ask, told } = virtualFaults({
      sequence: ["slow_success", "connection_refused:60000", "success"],
      chunkDelayMs: 1_000
    })
    ask()
    clock.settle()

    const closing = server.close()
    clock.settle()
    await closing

    expect(clock.armed()).toBe(0)
    expect(told.map(({ type }) => type)).toEqual(["request", "result"])
    expect(server.requests[0]?.outcome).toBe("client_closed")
  })

  it("a closed server refuses nothing any more, and arms nothing", async () => {
    const { server, clock, told } = virtualFaults({ sequence: ["success"] })
    const closing = server.close()
    clock.settle()
    await closing

    server.refuse()
    server.refuse({ ms: 5_000 })
    server.accept()

    expect([clock.armed(), told]).toEqual([0, []])
  })

  it("a gap of the script that is over leaves a refusal by hand in force", () => {
    const { server, clock, http, ask, told } = virtualFaults({
      sequence: ["slow_success", "connection_refused:100", "success"]
    })
    ask()
    clock.settle()
    server.refuse()
    clock.advance(1_000)

    expect(isRefused(() => http.connect())).toBe(true)
    server.accept()
    clock.settle()

    expect(isRefused(() => http.connect())).toBe(false)
    expect(told.filter(({ type }) => type === "available")).toHaveLength(1)
  })

  it("accept ends both at once", () => {
    const { server, clock, http } = virtualFaults({ sequence: ["success"] })
    server.refuse({ ms: 100 })
    server.refuse()
    server.accept()
    clock.settle()

    expect(isRefused(() => http.connect())).toBe(false)
    expect(clock.armed()).toBe(0)
  })

  it("who refuses twice tells it once", () => {
    const { server, clock, told } = virtualFaults({ sequence: ["success"] })
    server.refuse()
    server.refuse()
    clock.settle()

    expect(told).toHaveLength(1)
  })

  it("a connect in vain is told why, and how the port opens again", () => {
    const { server, clock, http, answer } = virtualFaults({ sequence: ["success", "connection_refused", "success"] })
    answer()

    expect(() => http.connect()).toThrow(/connection_refused in the script.*clock\.settle\(\) lets the port open/)
    clock.settle()
    server.refuse()
    clock.settle()
    expect(() => http.connect()).toThrow(/the port refuses.*server\.accept\(\)/)
    server.close()
    clock.settle()
    expect(() => http.connect()).toThrow("no virtual server listens")
  })
})
