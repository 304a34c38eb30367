import { expect, test } from "vitest"
import { over } from "../proxy-world.ts"
import { bytesOf, type Setting, startIn } from "../setting.ts"

/** Scenario 94 of agent-harness.md, section 9. */
export const framingScenarios = (setting: Setting): void => {
  test("94. lines of JSON that end with CR LF: the second is dropped, the others come as they were", async () => {
    const { world, proxy, through } = await startIn(setting, { framing: "ndjson", plan: { dropFrame: 2 } })
    const { client, upstream } = await through()

    void client.write('{"n": 1}\r\n{"n":2}\r\n\t{"n":3} \r\n')
    await world.settled(upstream.has('{"n": 1}\r\n\t{"n":3} \r\n'.length))

    expect(upstream.text()).toBe('{"n": 1}\r\n\t{"n":3} \r\n')
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 3, dropped: 1, delivered: 2 })
    await world.settled(proxy.stop())
  })

  test("94. Content-Length: what stands in headers is kept, in any letters", async () => {
    const { world, proxy, through } = await startIn(setting, {
      framing: "contentLength",
      plan: { rules: [{ match: { where: { "/n": 2 } }, action: "drop" }] }
    })
    const { client, upstream } = await through()
    const one = "content-length: 2\r\nX-Custom:  kept \r\n\r\nhi"
    const two = 'Content-Length: 7\r\n\r\n{"n":2}'
    const three = 'CONTENT-LENGTH:7\n\n{"n":3}'

    void client.write(one + two + three)
    await world.settled(upstream.has((one + three).length))

    expect(upstream.text()).toBe(one + three)
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 3, dropped: 1, delivered: 2 })
    await world.settled(proxy.stop())
  })

  const request = "GET /chat HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
  const response = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

  /** A frame of a client: its mask is 1, 2, 3, 4. */
  const masked = (first: number, text: string): Uint8Array =>
    Uint8Array.from([first, 0x80 | text.length, 1, 2, 3, 4, ...bytesOf(text).map((byte, at) => byte ^ ((at % 4) + 1))])
  const [text, goesOn, last, ping] = [0x01, 0x00, 0x80, 0x89]

  test("94. web socket: the handshake passes, a fragment is dropped, a ping counts, and masks are what they were", async () => {
    const { world, proxy, through } = await startIn(setting, { framing: "webSocket", plan: { dropFrame: 2 } })
    const { client, upstream } = await through()
    const kept = [masked(text, "Hel"), masked(ping, "?"), masked(last, "o")]
    const [first, ...behind] = kept

    void client.write(request)
    await world.settled(upstream.has(request.length))
    void upstream.write(response)
    await world.settled(client.has(response.length))
    void client.write(Buffer.concat([first ?? new Uint8Array(), masked(goesOn, "l"), ...behind]))
    await world.settled(upstream.has(request.length + Buffer.concat(kept).length))

    expect(client.text()).toBe(response)
    expect(upstream.text()).toBe(request + Buffer.concat(kept).toString())
    expect(proxy.forwarded("clientToLeader")).toBe(3)
    expect(proxy.connections()[0]).toMatchObject({
      clientToLeader: { received: 4, dropped: 1, delivered: 3 },
      leaderToClient: { received: 0 }
    })
    await world.settled(proxy.stop())
  })

  test("94. web socket: messages count in place of frames, a ping passes, and rules read what they say", async () => {
    const { world, proxy, through } = await startIn(setting, {
      framing: { type: "webSocket", counts: "messages" },
      plan: {
        rules: [
          { match: { kind: "text", where: { "/n": 1 } }, action: "drop" },
          { match: { index: 2 }, action: "duplicate" },
          { match: { index: 3 }, action: { type: "sever", afterBytes: 7 } }
        ]
      }
    })
    const { client, upstream } = await through()
    void client.write(request)
    await world.settled(upstream.has(request.length))
    void upstream.write(response)
    await world.settled(client.has(response.length))
    const second = Buffer.concat([masked(text, '{"n"'), masked(last, ":2}")])
    const third = Buffer.concat([masked(text, "lo"), masked(last, "st")])
    const pieces = [masked(text, '{"n":'), masked(ping, "?"), masked(last, "1}"), second, third]
    void client.write(Buffer.concat(pieces))
    await world.settled(over(upstream))

    const expected = Buffer.concat([masked(ping, "?"), second, second, third.subarray(0, 7)])
    expect(upstream.text()).toBe(request + expected.toString())
    expect(proxy.connections()[0]).toMatchObject({
      state: "severed",
      clientToLeader: { received: 3, dropped: 1, delivered: 1, forwarded: 2, severed: 1 }
    })
    await world.settled(proxy.stop())
  })

  test("94. web socket: what a client sends with its request waits for the answer, and is frames then", async () => {
    const { world, proxy, through } = await startIn(setting, { framing: "webSocket", plan: { dropFrame: 1 } })
    const { client, upstream } = await through()
    const kept = masked(ping, "?")

    void client.write(Buffer.concat([bytesOf(request), masked(text, "early"), kept]))
    client.socket.end()
    await world.settled(upstream.has(request.length))
    await world.quiet()
    expect([upstream.text(), upstream.reports]).toEqual([request, []])
    void upstream.write(response)
    await world.settled(upstream.ended)
    upstream.socket.end()
    await world.settled(Promise.all([client.closed, upstream.closed]))

    expect([upstream.text(), client.text()]).toEqual([request + Buffer.from(kept).toString(), response])
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 2, dropped: 1, delivered: 1 })
    await world.settled(proxy.stop())
  })

  test("94. web socket: where the answer is no, what follows passes uncut", async () => {
    const { world, proxy, through } = await startIn(setting, { framing: "webSocket" })
    const { client, upstream } = await through()
    const refusal = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"

    void client.write(request)
    await world.settled(upstream.has(request.length))
    void upstream.write(refusal)
    upstream.socket.end()
    await world.settled(client.ended)
    client.socket.end()
    await world.settled(upstream.closed)

    expect([upstream.text(), client.text()]).toEqual([request, refusal])
    await world.settled(proxy.stop())
  })

  test("94. web socket: a client that does not wait for the answer has to, and then its frames are frames", async () => {
    const { world, proxy, through, mostBuffered } = await startIn(setting, { framing: "webSocket" })
    const { client, upstream } = await through()
    const early = Buffer.concat(Array.from({ length: 4_096 }, () => masked(last, "x".repeat(122))))

    void client.write(request)
    void client.write(early)
    await world.settled(upstream.has(request.length))
    void upstream.write(response)
    await world.settled(upstream.has(request.length + early.length))

    expect(mostBuffered.clientToLeader).toBeLessThanOrEqual(131_072)
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 4_096, delivered: 4_096 })
    await world.settled(proxy.stop())
  })
}
