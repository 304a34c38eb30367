import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import type { Sink } from "../../src/kernel/sink.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { unwatched } from "../../src/serving/copy.ts"
import { type Answer, makeHttpApp } from "../../src/serving/http-app.ts"
import { planOf, unpaced, wireResponse } from "../../src/serving/scripted-plan.ts"
import { makeVirtualHttp } from "../../src/sim/virtual-http.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"

const answerWith = (response: ScriptedResponse): Answer => ({
  plan: planOf(wireResponse(response, "compact"), unpaced),
  watcher: unwatched,
  started: () => {}
})

/** An app whose path `/throws` makes it stumble, whose path `/hangs` is never answered, and `/long` with a long text. */
const start = (long = "") => {
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const app = makeHttpApp({
    supervisor,
    lifetime: makeLifetime(Effect.runSync),
    route: ({ target }) => ({
      bodyBytesMax: 10,
      decide(body) {
        if (target === "/throws") throw new Error("a bug")
        if (target === "/hangs") return answerWith(ScriptedResponse.hangUp("stall"))
        return answerWith(ScriptedResponse.text(200, target === "/long" ? long : body.kind))
      },
      stumbled: (error) => answerWith(ScriptedResponse.text(500, String(error)))
    })
  })
  const http = makeVirtualHttp(clock)
  http.listen({ host: "127.0.0.1", port: 0 }, app, { bound: () => {}, failed: () => {}, lost: () => {} })
  clock.settle()
  const get = (target: string, body?: string) => {
    const request = { method: "POST", target }
    return http.connect().request(body === undefined ? request : { ...request, body })
  }
  return { clock, supervisor, app, http, get }
}

describe("an app", () => {
  it("decides when the body is there, or is longer than wanted", () => {
    const { get } = start()

    expect(get("/", "0123456789").text()).toBe("bytes")
    expect(get("/", "0123456789+").text()).toBe("tooLarge")
  })

  it("that stumbles over one request says so, and serves the others", () => {
    const { get, supervisor, app } = start()

    const [bad, good] = [get("/throws"), get("/")]

    expect([bad.status, bad.text(), bad.isComplete]).toEqual([500, "Error: a bug", true])
    expect([good.status, good.isComplete]).toEqual([200, true])
    expect([app.copies().size, supervisor.alive()]).toEqual([0, 0])
  })

  it("gives a HEAD request its head", () => {
    const { http } = start()

    const response = http.connect().request({ method: "HEAD", target: "/" })

    expect([response.status, response.text(), response.isComplete]).toEqual([200, "", true])
    expect(response.headers).toContainEqual(["content-length", "5"])
  })

  it("begins an answer when its turn comes, and ends a connection whose waiting answers are too much", () => {
    const { app, supervisor } = start("x".repeat(30 * 1024 * 1024))
    const told: Array<string> = []
    const turns: Array<(comes: boolean) => void> = []
    const connection = app.connected(() => told.push("destroyed"))
    const sink: Sink = {
      head: () => told.push("head"),
      write: () => true,
      writeUnframed: () => true,
      flush: () => {},
      finish: (how) => told.push(how),
      awaitTurn: (turn) => turns.push(turn) > 0
    }
    const ask = () => connection.open({ method: "POST", target: "/long", headers: [] }, sink).received(new Uint8Array())

    ask()
    ask()
    expect([told, app.copies().size]).toEqual([[], 2])
    turns[0]?.(true)
    expect([told, app.copies().size]).toEqual([["head", "end"], 1])
    ask()
    expect(told).toEqual(["head", "end"])
    ask()
    expect(told).toEqual(["head", "end", "destroyed"])

    connection.closed()
    expect([app.copies().size, supervisor.alive()]).toEqual([0, 0])
  })

  it("ends every response before it ends every connection, then says so", () => {
    const { get, app, http, clock, supervisor } = start()
    const hung = [get("/hangs"), get("/hangs")]
    expect(app.copies().size).toBe(2)
    const told: Array<number> = []

    app.endAll(() => told.push(app.copies().size))
    clock.settle()

    expect(told).toEqual([0])
    expect(hung.map(({ ended }) => ended)).toEqual(["fin", "fin"])
    expect([http.connections(), supervisor.alive(), clock.armed()]).toEqual([0, 0, 0])
  })
})
