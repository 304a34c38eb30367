import { connect } from "node:net"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { liveClock } from "../../src/live/clock.ts"
import { liveHttp } from "../../src/live/http-server.ts"
import type { HttpApp } from "../../src/ports/http-port.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"
import { startScript } from "../support/child-script.ts"
import { openRaw, rawPost, startLive } from "../support/live-world.ts"
import { stateOf } from "../support/promise-state.ts"
import { stream } from "../support/scripts.ts"

const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
const chatPath = "/v1/chat/completions"

/** Sockets of this process, of servers and clients. */
const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP")).length

describe("closing a live server", () => {
  it("leaves no socket and no timer, whatever was under way", async () => {
    const { server, open, armed } = await startLive()
    server.expectResponseBlocked("at its barrier", chat, stream("a", "b"))
    const blocked = open()
    blocked.write(rawPost(chatPath, "{}"))
    await blocked.read(/data: a/)
    server.setChunkDelay(3_600_000)
    const paced = open()
    paced.write(rawPost(chatPath, "{}"))
    await paced.read(/\r\n\r\n/)
    server.setHang(true)
    const hung = open()
    hung.write("GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n")
    const idle = open()
    idle.write("GET / HTTP/1.1\r\nhost: mock\r\n\r\n")
    await idle.read(/ready/)
    const half = open()
    half.write("POST /v1/responses HTT")
    const unsent = open()
    unsent.write(rawPost(chatPath, "x".repeat(1_000)).slice(0, -100))
    const reset = open()
    server.enqueueResponse("/v1/messages", { ...stream("cut"), ending: "rst" })
    reset.write(rawPost("/v1/messages", "{}"))
    server.setChunkDelay(null)
    expect([sockets() > 7, armed() > 0]).toEqual([true, true])

    const report = await server.close({ drainMs: 0 })
    await Promise.all([blocked, paced, hung, idle, half, unsent, reset].map((client) => client.readToEnd()))

    expect(report.blocked.slice(0, 2)).toEqual([
      "POST /v1/chat/completions (expectation `at its barrier`) waits at barrier `terminal`",
      "POST /v1/chat/completions waits 3600000 ms before its next event"
    ])
    expect([sockets(), armed()]).toEqual([0, 0])
  })

  it("leaves nothing at all that keeps a process alive", async () => {
    const script = await startScript("closing-server")
    const { before, after, blocked } = JSON.parse(await script.line())

    expect(after).toEqual(before)
    expect(blocked).toHaveLength(3)
    expect(await script.exit()).toEqual({ code: 0, stderr: "" })
  })

  it("refuses new connections, ends idle ones, and lets an answer run on until it is released", async () => {
    const { server, origin, open, connections } = await startLive()
    const handle = server.expectResponseBlocked("turn", chat, stream("a", "b"))
    const [busy, idle] = [open(), open()]
    busy.write(rawPost(chatPath, "{}"))
    await busy.read(/data: a/)
    idle.write("GET / HTTP/1.1\r\nhost: mock\r\n\r\n")
    await idle.read(/ready/)

    const closing = server.close({ drainMs: 60_000 })
    await idle.readToEnd()
    const late = connect({ host: "127.0.0.1", port: Number(new URL(origin).port) })
    const refusal = await new Promise((resolve) => late.once("error", ({ message }) => resolve(message)))
    expect(refusal).toMatch(/ECONNREFUSED/)
    expect([await stateOf(closing), connections()]).toEqual(["pending", 1])

    handle.release()
    expect(await closing).toEqual({ blocked: [] })
    expect(await busy.readToEnd()).toMatch(/data: b\n\n\r\n0\r\n\r\n$/)
    expect(handle.isSatisfied()).toBe(true)
  })

  it("lets pipelined answers out that wait behind a held one", async () => {
    const { server, open } = await startLive()
    const held = server.expectResponseBlocked("held", chat, ScriptedResponse.text(201, "held"))
    server.expectResponse("ready", chat, ScriptedResponse.text(202, "ready"))
    const client = open()
    client.write(rawPost(chatPath, "{}").repeat(2))
    await held.waitBlocked()

    const closing = server.close({ drainMs: 60_000 })
    held.release()
    const text = await client.readToEnd()

    expect(text).toMatch(/HTTP\/1\.1 201[\s\S]*held[\s\S]*HTTP\/1\.1 202[\s\S]*ready$/)
    expect(await closing).toEqual({ blocked: [] })
  })

  it("names the answers that wait for one before them on their connection", async () => {
    const { server, open } = await startLive()
    const held = server.expectResponseBlocked("held", chat, ScriptedResponse.text(201, "held"))
    const next = server.expectResponseBlocked("next", chat, ScriptedResponse.text(202, "next"))
    const client = open()
    client.write(rawPost(chatPath, "{}").repeat(2))
    await Promise.all([held.waitBlocked(), next.waitReceived()])

    const { blocked } = await server.close({ drainMs: 0 })

    expect(blocked).toEqual([
      "POST /v1/chat/completions (expectation `held`) waits at barrier `terminal`",
      "POST /v1/chat/completions (expectation `next`) waits for the answer before it on its connection"
    ])
    client.leave()
  })

  it("by force cuts what is left, also from a client that does not read", async () => {
    const { server, open, waitTrace } = await startLive()
    const handle = server.expectResponse("call", chat, stream(...Array<string>(600).fill("x".repeat(64 * 1024))))
    const client = open()
    client.write(rawPost(chatPath, "{}"))
    await waitTrace((event) => event.type === "step" && event.event === "socket.written", 3)

    const report = await server.close({ drainMs: 0 })

    expect(report.blocked).toEqual(["POST /v1/chat/completions (expectation `call`) waits for its client to read"])
    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    client.leave()
  })

  it("may be asked for twice, at once and later, and by leaving the scope", async () => {
    const { server, open } = await startLive()
    server.expectResponseBlocked("turn", chat, stream("a", "b"))
    const client = open()
    client.write(rawPost(chatPath, "{}"))
    await client.read(/data: a/)

    const [first, second] = [server.close({ drainMs: 60_000 }), server.close({ drainMs: 0 })]

    expect((await first).blocked).toHaveLength(1)
    expect(await second).toEqual(await first)
    expect(await server.close()).toEqual(await first)
    await server[Symbol.asyncDispose]()
  })

  it("rejects every outstanding wait with name and phase", async () => {
    const { server } = await startLive()
    const handle = server.expectResponseBlocked("nobody came", chat, stream("a"))
    const waits = [handle.waitReceived(), handle.waitBlocked(), handle.waitSatisfied(), handle.waitClaims(2)]
    for (const wait of waits) wait.catch(() => {})

    await server.close()

    for (const wait of waits) {
      await expect(wait).rejects.toMatchObject({
        name: "ExpectationFailed",
        expectation: "nobody came",
        phase: "Pending"
      })
    }
  })
})

describe("a port that is given back while it is being bound", () => {
  const app: HttpApp = {
    connected: () => {
      throw new Error("nobody can connect")
    }
  }

  it("is not bound afterwards", async () => {
    const bound: Array<number> = []
    const probe = await startLive()
    const port = Number(new URL(probe.origin).port)
    await probe.server.close()

    const listening = liveHttp.listen({ host: "127.0.0.1", port }, app, {
      bound: (address) => bound.push(address.port),
      failed: () => {},
      lost: () => {}
    })
    listening.unbind()
    // Connecting takes longer than binding: when it was refused nothing is bound, and nothing will be.
    await expect(openRaw(port).read(/./)).rejects.toThrow("the connection ended")

    expect([bound, listening.connections()]).toEqual([[], 0])
    expect(sockets()).toBe(0)
  })
})

it("a lifetime ends what is in it once, newest first", () => {
  const order: Array<string> = []
  const life = makeLifetime(Effect.runSync)
  life.fork(() => order.push("first"))
  const second = life.fork(() => order.push("second"))
  second.fork(() => order.push("inside the second"))
  second.end()
  life.end()
  life.end()

  expect(order).toEqual(["inside the second", "second", "first"])
})

it("what is due later than timers keep never comes, and holds nothing", () => {
  const forget = liveClock.arm(Number.POSITIVE_INFINITY, "never", () => {})

  expect(sockets()).toBe(0)
  forget()
})
