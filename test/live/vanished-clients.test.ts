import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { connected, type LiveWorld, rawPost, startLive } from "../support/live-world.ts"
import { stream } from "../support/scripts.ts"

const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
const chatPath = "/v1/chat/completions"
const long = "x".repeat(64 * 1024)

/** More than all buffers between the server and a client that does not read. */
const endless = () => stream(...Array<string>(600).fill(long), "end")

const isEnded = (event: { readonly type: string }) => event.type === "ended"

/** The server is alive, holds no connection but those of this check, and has nothing in progress. */
const expectFree = async ({ server, origin, waitConnections }: LiveWorld) => {
  await waitConnections(0)
  const response = await fetch(origin, { headers: { connection: "close" } })
  expect(response.status).toBe(200)
  await response.text()
  expect(await server.close()).toEqual({ blocked: [] })
}

describe("a client that vanishes", () => {
  it.each([
    ["before it said anything", ""],
    ["in its request line", "POST /v1/chat/comp"],
    ["in its headers", "POST /v1/chat/completions HTTP/1.1\r\nhost: mock\r\ncontent-type: appl"],
    ["before its body", rawPost(chatPath, "x".repeat(1_000)).split("\r\n\r\n")[0] ?? ""],
    ["in its body", rawPost(chatPath, JSON.stringify({ text: "x".repeat(1_000) })).slice(0, -500)]
  ])("%s claims nothing and holds nothing", async (_, bytes) => {
    const world = await startLive()
    const handle = world.server.expectResponse("call", chat, ScriptedResponse.text(200, "x"))
    const client = world.open()
    client.write(bytes)
    await connected(client)
    await world.waitConnections(1)

    client.leave()

    await world.waitConnections(0)
    expect([handle.phase, world.server.requestCount()]).toEqual(["Pending", 0])
    await expectFree(world)
  })

  it.each([
    ["before the head", stream("a", "b"), [{ at: "head" as const }], ""],
    ["before the last event", stream("a", "b"), [{ at: "terminal" as const }], "data: a\n\n"],
    ["before a JSON answer", ScriptedResponse.json(200, {}), [{ at: "terminal" as const }], ""]
  ])("at a barrier %s abandons its expectation at once", async (_, script, barriers, text) => {
    const world = await startLive()
    const handle = world.server.expectResponse("call", chat, script, { barriers })
    const client = world.open()
    client.write(rawPost(chatPath, "{}"))
    await handle.waitBlocked()

    client.leave()

    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    expect(world.server.requests()[0]?.answer).toMatchObject({ settled: "cancelled", outcome: "client_closed", text })
    await expectFree(world)
  })

  it("during a pause is noticed during the pause", async () => {
    const world = await startLive()
    world.server.setChunkDelay(3_600_000)
    const handle = world.server.expectResponse("call", chat, stream("a", "b"))
    const client = world.open()
    client.write(rawPost(chatPath, "{}"))
    await client.read(/\r\n\r\n/)

    client.leave()

    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    await expectFree(world)
  })

  it("at the completion gate is not waited for", async () => {
    const world = await startLive()
    world.server.holdAgentCompletions()
    const client = world.open()
    client.write(rawPost(chatPath, "{}", ["x-grok-turn-idx: 1"]))
    await client.read(/\r\n\r\n/)

    client.leave()

    await world.waitTrace(isEnded)
    await expectFree(world)
  })

  it("in the middle of a write that it does not read frees what was still to come", async () => {
    const world = await startLive()
    const handle = world.server.expectResponse("call", chat, endless())
    const client = world.open()
    client.write(rawPost(chatPath, "{}"))
    await world.waitTrace((event) => event.type === "step" && event.event === "socket.written", 3)
    expect(handle.phase).toBe("Received")

    client.leave()

    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    const answer = world.server.requests()[0]?.answer
    expect(answer).toMatchObject({ settled: "cancelled", outcome: "client_closed" })
    expect(answer?.events).toBeLessThan(600)
    await expectFree(world)
  })

  it("by a reset is as gone as by a close", async () => {
    const world = await startLive()
    const handle = world.server.expectResponseBlocked("call", chat, stream("a", "b"))
    const client = world.open()
    client.write(rawPost(chatPath, "{}"))
    await handle.waitBlocked()

    client.socket.resetAndDestroy()

    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    await expectFree(world)
  })

  it("with several pipelined requests frees them all", async () => {
    const world = await startLive()
    const handles = ["one", "two", "three"].map((name) =>
      world.server.expectResponseBlocked(name, chat, stream("a", "b"))
    )
    const client = world.open()
    client.write(rawPost(chatPath, "{}").repeat(3))
    await handles[0]?.waitBlocked()
    for (const handle of handles) await handle.waitClaims(1)

    client.leave()

    for (const handle of handles) await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    await expectFree(world)
  })

  it("after a stall ends the stall", async () => {
    const world = await startLive()
    world.server.enqueueResponse(chatPath, ScriptedResponse.hangUp("stall"))
    const client = world.open()
    client.write(rawPost(chatPath, "{}"))
    await world.waitTrace(isEnded)

    client.leave()

    await expectFree(world)
  })
})

describe("a client that reads slowly", () => {
  it("gets every byte of a long stream, and nobody else waits for it", async () => {
    const world = await startLive()
    const handle = world.server.expectResponse("call", chat, endless())
    const slow = world.open()
    slow.write(rawPost(chatPath, "{}", ["connection: close"]))
    await world.waitTrace((event) => event.type === "step" && event.event === "socket.written", 3)

    const other = world.open()
    other.write(rawPost(chatPath, "{}"))
    await other.read(/0\r\n\r\n$/)
    expect(handle.phase).toBe("Received")

    const text = await slow.readToEnd()
    expect(text.endsWith("data: end\n\n\r\n0\r\n\r\n")).toBe(true)
    expect(text.match(/data: x{65536}\n\n/g)).toHaveLength(600)
    await handle.waitSatisfied()
  })
})
