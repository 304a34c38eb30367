import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { HttpPort, ListenReport } from "../../src/ports/http-port.ts"
import { makeHttpApp } from "../../src/serving/http-app.ts"
import { startListener } from "../../src/serving/listener.ts"
import { makeVirtualHttp } from "../../src/sim/virtual-http.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"

/** A port that answers nothing by itself. */
const silentPort = () => {
  const calls: Array<string> = []
  const reports: Array<ListenReport> = []
  const port: HttpPort = {
    listen(address, _app, report) {
      calls.push(`listen ${address.host}:${address.port}`)
      reports.push(report)
      return {
        unbind: () => void calls.push("unbind"),
        closeIdle: () => void calls.push("closeIdle"),
        connections: () => 0
      }
    }
  }
  return { port, calls, reports }
}

const start = (choosePort: (clock: ReturnType<typeof makeVirtualClock>) => HttpPort) => {
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const told: Array<string> = []
  const app = makeHttpApp({
    supervisor,
    lifetime: makeLifetime(Effect.runSync),
    route: () => {
      throw new Error("no request is expected")
    }
  })
  const listener = startListener({
    supervisor,
    http: choosePort(clock),
    app,
    address: { host: "127.0.0.1", port: 7 },
    beforeEnd: () => told.push("before end"),
    report: {
      listening: ({ port }) => told.push(`listening on ${port}`),
      failed: (reason) => told.push(`failed: ${reason}`),
      closed: (forced) => told.push(forced ? "closed by force" : "closed")
    }
  })
  return { clock, supervisor, told, listener }
}

describe("a listener", () => {
  it("gives up when nothing answers for five seconds, and gives the port back", () => {
    const { port, calls } = silentPort()
    const { clock, told, supervisor } = start(() => port)
    clock.advance(4_999)
    expect(told).toEqual([])

    clock.advance(1)

    expect(told).toEqual(["failed: mock server not ready within 5s"])
    expect(calls).toEqual(["listen 127.0.0.1:7", "unbind"])
    expect([clock.armed(), supervisor.alive()]).toEqual([0, 0])
  })

  it("says why the port cannot be had", () => {
    const { port, reports } = silentPort()
    const { clock, told } = start(() => port)

    reports[0]?.failed("address in use")

    expect(told).toEqual(["failed: address in use"])
    expect(clock.armed()).toBe(0)
  })

  it("that is closed while it is being bound never listens, and a late answer changes nothing", () => {
    const { port, calls, reports } = silentPort()
    const { clock, told, listener, supervisor } = start(() => port)

    listener.close(1_000)
    expect(told).toEqual(["closed"])
    reports[0]?.bound({ host: "127.0.0.1", port: 7 })
    reports[0]?.failed("late")
    reports[0]?.lost()
    listener.close(0)

    expect(told).toEqual(["closed"])
    expect(calls).toEqual(["listen 127.0.0.1:7", "unbind", "closeIdle"])
    expect([clock.armed(), supervisor.alive()]).toEqual([0, 0])
  })

  it("that is closed while the virtual network binds it is not there afterwards", () => {
    let http: ReturnType<typeof makeVirtualHttp> | undefined
    const { clock, told, listener } = start((time) => {
      http = makeVirtualHttp(time)
      return http
    })

    listener.close(0)
    clock.advance(10_000)

    expect(told).toEqual(["closed"])
    expect(() => http?.connect()).toThrow("connection refused")
  })

  it("counts its connections, and closes when the last has gone", () => {
    let http: ReturnType<typeof makeVirtualHttp> | undefined
    const { clock, told, listener } = start((time) => {
      http = makeVirtualHttp(time)
      return http
    })
    clock.settle()
    const connection = http?.connect()
    expect([told, listener.connections()]).toEqual([["listening on 7"], 1])

    listener.close(1_000)
    clock.settle()

    expect([connection?.isOpen, listener.connections(), told.at(-1)]).toEqual([false, 0, "closed"])
    expect(clock.armed()).toBe(0)
  })
})
