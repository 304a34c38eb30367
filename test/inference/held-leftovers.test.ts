import { describe, expect, it } from "vitest"
import { ScriptedResponse, VerificationFailed } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const start = () => {
  const world = startVirtualServer()
  const ask = () => {
    const connection = world.http.connect()
    connection.request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"]],
      body: "{}"
    })
    world.clock.settle()
    return { connection }
  }
  return { ...world, ask }
}

describe("verify", () => {
  const leftovers = (server: ReturnType<typeof start>["server"]): ReadonlyArray<string> => {
    try {
      server.verify()
      return []
    } catch (error) {
      if (error instanceof VerificationFailed) return error.leftovers
      throw error
    }
  }

  it("names a call that the test took and did not answer, with the line that took it, until it is answered", async () => {
    const { server, ask, clock } = start()
    const next = server.next()
    ask()
    const call = await next

    expect(leftovers(server)).toEqual([
      expect.stringMatching(
        /^call 1 \(auxiliary ChatCompletions\), taken at \S*held-leftovers\.test\.ts:\d+:\d+, was not answered$/
      )
    ])
    call.replyText("x")
    clock.settle()

    expect(leftovers(server)).toEqual([])
  })

  it("names a stream that the test did not end", async () => {
    const { server, ask } = start()
    const next = server.next()
    ask()
    const stream = (await next).stream()
    stream.write("one")

    expect(leftovers(server)).toEqual([expect.stringContaining("was answered by a stream that was not ended")])
    stream.end()

    expect(leftovers(server)).toEqual([])
  })

  it("does not name a call whose client has left, nor one that the server was told to answer", async () => {
    const { server, ask, clock } = start()
    const calls = server.gather(2)
    const left = ask()
    ask()
    const [, handedBack] = await calls
    left.connection.disconnect()
    handedBack?.proceed()
    clock.settle()

    expect(leftovers(server)).toEqual([])
  })

  it("names what was asked for and never came, also when the server has closed", async () => {
    const { server, ask, clock } = start()
    const gathered = server.gather(3, { endpoint: "ChatCompletions", session: "red", turn: 2, where: () => false })
    const other = server.gather(2)
    const next = server.next({ kind: "foreground" })
    ask()
    const missing = [
      expect.stringMatching(
        /^gather\(3\) at \S*held-leftovers\.test\.ts:\d+:\d+ waits for 3 requests more \(ChatCompletions, session "red", turn 2, its condition `where`\)$/
      ),
      expect.stringMatching(/^gather\(2\) at \S+ waits for 1 request more$/),
      expect.stringMatching(/^next\(\) at \S+ waits for 1 request more \(foreground\)$/)
    ]

    expect(leftovers(server)).toEqual([expect.stringContaining("call 1 "), ...missing])
    const closing = server.close()
    clock.advance(1_000)
    await closing

    expect(leftovers(server)).toEqual(missing)
    await expect(gathered).rejects.toThrow("before a request came for gather(3) at")
    await expect(Promise.any([other, next])).rejects.toThrow()
  })

  it("forgets answered calls, and never one that is open", async () => {
    const { server, ask, clock } = start()
    const next = server.next()
    ask()
    await next
    for (let count = 0; count < 200; count++) {
      const taken = server.next()
      ask()
      ;(await taken).reply(ScriptedResponse.text(200, ""))
      clock.settle()
    }

    expect(leftovers(server)).toEqual([expect.stringContaining("call 1 ")])
  })
})
