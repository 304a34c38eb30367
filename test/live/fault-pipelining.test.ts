import { describe, expect, it } from "vitest"
import type { FaultServerOptions } from "../../src/faults.ts"
import { openWire } from "../faults/wire/wire-client.ts"
import { chunksOf, faultPost, toldFaults, virtualFaults } from "../support/fault-world.ts"
import { openRaw } from "../support/live-world.ts"

/** Sends as many requests at once as the sequence has entries, on one connection. */
const pipelined = async (sequence: ReadonlyArray<string>, options: Partial<FaultServerOptions> = {}) => {
  const world = await toldFaults({ sequence: [...sequence], chunkDelayMs: 60_000, disconnectDelayMs: 0, ...options })
  const client = openWire(world.server.port)
  client.write(faultPost().repeat(sequence.length))
  await world.tell("request", sequence.length)
  const results = () => world.told.flatMap((event) => (event.type === "result" ? [[event.attempt, event.outcome]] : []))
  return { ...world, client, results }
}

const nothing = { outcome: "client_closed", chunksSent: 0, bytesSent: 0 } as const

describe("The records of pipelined requests", () => {
  it.each(["stall", "no_response", "hold_open", "comment_stall"])(
    "say of those behind a %s that nothing was sent, when the client has left",
    async (silence) => {
      const { server, client, tell, results } = await pipelined([silence, "success", "rate_limit"])
      await tell("result")
      await server.clock.advance("1 hour")
      expect(results()).toEqual([[1, "stalled"]])

      client.socket.destroy()

      await tell("result", 3)
      expect(server.requests).toMatchObject([{ outcome: "stalled" }, nothing, nothing])
    }
  )

  it.each(["connection_reset", "connection_reset:rst", "partial_disconnect:rst", "cut_at_event", "half_close"])(
    "say of those behind a %s that nothing was sent",
    async (cut) => {
      const { server, client, tell } = await pipelined([cut, "success", "stall"])
      for (let pauses = 0; pauses < 5; pauses++) await server.clock.advance("1 hour")

      await tell("result", 3)
      await client.ended()
      expect(server.requests).toMatchObject([{ outcome: "reset" }, nothing, nothing])
      expect(client.received().toString().split("HTTP/1.1 ").length).toBeLessThan(3)
    }
  )

  it("say so too when the server is closed in the silence of who vanished", async () => {
    const { server, tell } = await pipelined(["vanish", "success"])
    await tell("result")

    await server.close()

    expect(server.requests).toMatchObject([{ outcome: "stalled" }, nothing])
  })

  it("are told in their order, and no time passes for an answer before its turn", async () => {
    const sequence = ["slow_success", "slow_success", "rate_limit"]
    const { server, told, tell } = await toldFaults({ sequence, chunkDelayMs: 60_000 })
    const results = () => told.flatMap((event) => (event.type === "result" ? [[event.attempt, event.outcome]] : []))
    const client = openRaw(server.port)
    client.write(faultPost().repeat(3))
    await tell("request", 3)
    for (let pauses = 0; pauses < 3; pauses++) await server.clock.advance(60_000)
    await client.read(/HTTP[\s\S]*HTTP[\s\S]*mock res/)
    expect(results()).toEqual([[1, "completed"]])
    expect(server.requests[1]).not.toHaveProperty("outcome")

    for (let pauses = 0; pauses < 3; pauses++) await server.clock.advance(60_000)
    await tell("result", 3)
    expect(results()).toEqual([
      [1, "completed"],
      [2, "completed"],
      [3, "completed"]
    ])
    client.leave()
  })

  it("take what was sent behind a cut for a request without an answer", async () => {
    const { server, client, tell } = await pipelined(["half_close"], { repeatLast: true })
    await client.ended()
    client.write(faultPost())

    await tell("result", 2)

    expect(server.requests).toMatchObject([{ outcome: "reset" }, nothing])
    client.socket.destroy()
  })
})

describe("A virtual connection", () => {
  it.each(["connection_reset", "connection_reset:rst", "half_close"])("takes no request behind a %s", (cut) => {
    const { http, ask, server, clock } = virtualFaults({ sequence: [cut, "success"] })
    const on = http.connect()
    ask({ on })

    expect(() => ask({ on })).toThrow("the virtual connection is closed")
    clock.settle()
    expect(() => ask({ on })).toThrow("the virtual connection is closed")
    expect(server.requests.length).toBe(1)
  })
})

it("A long answer lets others through between its stretches, and keeps its chunks", async () => {
  const { server } = await toldFaults({
    sequence: ["success", "success"],
    successText: "x".repeat(5_000),
    chunkSize: 1
  })
  const [long, other] = [openWire(server.port), openWire(server.port)]
  long.socket.pause()
  long.write(faultPost())
  other.write(faultPost(["connection: close"]))
  await other.ended()

  const { chunks, isComplete } = chunksOf(other.received().toString())

  // Role, 5,000 pieces, finish, usage and [DONE]; how many there are besides the pieces is the shape's.
  expect([chunks.length > 5_000, isComplete]).toEqual([true, true])
  expect(chunks.every((chunk) => chunk.startsWith("data: ") && chunk.indexOf("data: ", 1) < 0)).toBe(true)
  long.socket.destroy()
})
