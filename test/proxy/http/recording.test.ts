import { describe, expect, it } from "vitest"
import { seededChoice } from "../../../src/kernel/choice-sources.ts"
import type { FaultProxyOptions } from "../../../src/proxy/proxy-options.ts"
import { latin1Bytes, latin1Text } from "../../../src/wire/http/latin1.ts"
import { simStreamWorld } from "../../ports/sim-stream-world.ts"
import { proxyRun } from "../proxy-world.ts"

const request = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n"
const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

/** A client that has asked, and an upstream whose answer comes in pieces. */
const asking = async (options: FaultProxyOptions) => {
  const { world, proxy, through } = await proxyRun(simStreamWorld(seededChoice(1))(), { framing: "http", ...options })
  const { client, upstream } = await through()
  const came: Array<string> = []
  client.heard((bytes) => came.push(latin1Text(bytes)))
  const quiet = (): Promise<void> =>
    world.settled(new Promise((resolve) => void world.clock.arm(1_000, "all has come", resolve)))
  void client.write(latin1Bytes(request))
  await quiet()
  return {
    proxy,
    /** Gives what has come of the answer so far. */
    async answer(text: string): Promise<string> {
      void upstream.write(latin1Bytes(text))
      await quiet()
      return came.join("")
    },
    recorded: () =>
      (proxy.recording()?.frames ?? []).map(({ direction, kind, bytes }) => [direction, kind, latin1Text(bytes)]),
    async end(): Promise<void> {
      upstream.socket.end()
      await quiet()
    }
  }
}

// Seen to fail while what was recorded was taken of the reader as a whole.
describe("a recording of HTTP", () => {
  it("lets a body go on in the pieces in which it comes, and has it whole", async () => {
    const { answer, recorded, end } = await asking({ record: true })

    expect(await answer(`${chunkedHead}3\r\none\r\n`)).toContain("one")
    expect(await answer("3\r\ntwo\r\n")).toContain("two")
    expect(recorded().map(([, kind]) => kind)).toEqual(["head", "head"])
    await answer("0\r\n\r\n")
    await end()
    expect(recorded().at(-1)).toEqual(["leaderToClient", "body", "onetwo"])
  })

  it("severs no body that is longer than what a rule may look at", async () => {
    const { answer, proxy, recorded, end } = await asking({ record: true, framing: { type: "http", limitBytes: 4 } })

    expect(await answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234")).toContain("01234")
    expect(await answer("56789")).toContain("56789")
    await end()
    expect(recorded().at(-1)).toEqual(["leaderToClient", "body", "0123456789"])
    expect(proxy.totals()).toMatchObject({ severed: 0, frameErrors: 0 })
  })

  it("counts a body for which it has no room, and keeps nothing of it", async () => {
    const { answer, proxy, recorded, end } = await asking({ record: { bytesMax: 600 } })

    const body = "x".repeat(400)
    expect(await answer(`HTTP/1.1 200 OK\r\nContent-Length: 800\r\n\r\n${body}`)).toContain(body)
    expect(await answer(body)).toContain(body + body)
    await end()
    expect(recorded().map(([, kind]) => kind)).toEqual(["head", "head"])
    expect(proxy.recording()?.missed).toBe(1)
  })

  it("has events without what stands between them, and the tail of an answer that is cut off", async () => {
    const { answer, recorded, end } = await asking({ record: true })

    await answer("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    await answer("f\r\n: hi\n\ndata: 1\n\n\r\n6\r\ndata: \r\n")
    await end()
    expect(recorded().slice(2)).toEqual([
      ["leaderToClient", "event", "data: 1\n\n"],
      ["leaderToClient", null, "data: "]
    ])
  })
})
