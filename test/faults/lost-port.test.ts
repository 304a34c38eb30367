import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { FaultServer, FaultServerOptions } from "../../src/faults/fault-server-api.ts"
import { startFaults } from "../../src/faults/start-fault-server.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { HttpPort } from "../../src/ports/http-port.ts"
import { makeVirtualHttp } from "../../src/sim/virtual-http.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"
import { faultBody } from "../support/fault-world.ts"

/** A server on a network where another program can take a port; connects come to the port that was bound last. */
const startOn = (options: FaultServerOptions) => {
  const clock = makeVirtualClock()
  const net = makeVirtualHttp(clock)
  const world = { isTaken: false }
  const http: HttpPort = {
    listen(address, app, report) {
      if (!world.isTaken) return net.listen(address, app, report)
      clock.arm(0, "bind", () => report.failed("listen EADDRINUSE"))
      return { unbind() {}, closeIdle() {}, connections: () => 0 }
    }
  }
  const servers: Array<FaultServer> = []
  const told: Array<string> = []
  startFaults(
    { clock, http, lifetime: makeLifetime(Effect.runSync), anySeed: () => 0, countsConnects: true },
    { ...options, onEvent: ({ type }) => void told.push(type) },
    {
      started: (server) => servers.push(server),
      failed(error) {
        throw error
      }
    }
  )
  clock.settle()
  const [server] = servers
  if (server === undefined) throw new Error("the server did not start")
  /** The main port refuses, and cannot be had again. */
  const lose = (): void => {
    server.refuse({ ms: 10 })
    clock.settle()
    world.isTaken = true
    clock.advance(6_000)
  }
  return { server, clock, net, told, lose }
}

describe("A server that lost a port", () => {
  it("closes when its other ports are closed, and not before", async () => {
    const { server, clock, net, lose } = startOn({
      sequence: ["success"],
      lanes: { lanePort: true, scripts: { alpha: { sequence: ["slow_success"] } } },
      chunkDelayMs: 60_000
    })
    lose()
    await expect(server.closed).rejects.toThrow("could not be had again")
    net.connect().request({
      method: "POST",
      target: "/v1/chat/completions",
      body: JSON.stringify(faultBody)
    })
    clock.settle()
    let isClosed = false

    const closing = server.close().then(() => {
      isClosed = true
    })
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    expect(isClosed).toBe(false)
    clock.settle()
    await closing

    expect(server.requests).toMatchObject([{ lane: "alpha", outcome: "client_closed" }])
    expect([net.connections(), clock.armed()]).toEqual([0, 0])
  })

  it("refuses and accepts nothing there any more", async () => {
    const { server, clock, told, lose } = startOn({
      sequence: ["success"],
      lanes: { lanePort: true, scripts: { alpha: { sequence: ["success"] } } }
    })
    lose()
    const before = told.length

    server.refuse()
    server.refuse({ ms: 30_000 })
    server.accept()

    expect([told.length - before, clock.armed()]).toEqual([0, 0])
    expect(told).toEqual(["unavailable", "error"])
    const closing = server.close()
    clock.settle()
    await closing
  })

  it("closes at once when it was the only one", async () => {
    const { server, lose } = startOn({ sequence: ["success"] })
    lose()

    await server.close()
    await expect(server.closed).rejects.toThrow("EADDRINUSE")
  })
})
