import { expect, test } from "vitest"
import { over, type ProxyRun } from "../proxy-world.ts"
import { expectMs, type Setting, startIn, timed } from "../setting.ts"

/** Requests are for who is behind the proxy, so that nothing has to be changed about that. */
const hostOf = ({ served }: Pick<ProxyRun, "served">): string =>
  served.kind === "tcp" ? `${served.host}:${served.port}` : "x"

const asked = (host: string): string => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
const event = (text: string): string => `data: {"text":"${text}"}\n\n`
const chunked = (...texts: ReadonlyArray<string>): string =>
  texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("")
const lastChunk = "0\r\n\r\n"

/** The body of a response in chunks, as far as it has come. */
const bodyOf = (response: string): string => {
  let rest = response.slice(response.indexOf("\r\n\r\n") + 4)
  let body = ""
  for (let size = /^([\da-f]+)\r\n/.exec(rest); size !== null; size = /^([\da-f]+)\r\n/.exec(rest)) {
    const [line = "", digits = "0"] = size
    const bytes = Number.parseInt(digits, 16)
    body += rest.slice(line.length, line.length + bytes)
    rest = rest.slice(line.length + bytes + 2)
  }
  return body
}

/** What holds of HTTP behind a proxy: faults at events of a stream, wherever its chunks were cut. */
export const httpScenarios = (setting: Setting): void => {
  /** Asks, and lets somebody begin an answer that is a stream of these events. */
  const streamed = async (rules: ReadonlyArray<unknown>, written: string) => {
    const run = await startIn(setting, { framing: "http", plan: { rules } })
    const { client, upstream } = await run.through()
    const request = `POST /v1/chat HTTP/1.1\r\nHost: ${hostOf(run)}\r\nAccept-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`
    void client.write(request)
    await run.world.settled(upstream.has(request.replace("gzip", "identity").length))
    expect(upstream.text()).toBe(request.replace("gzip", "identity"))
    void upstream.write(head + written)
    return { ...run, client, upstream }
  }
  const events = (match: Readonly<Record<string, unknown>>, action: unknown) => ({
    direction: "u2c",
    match: { kind: "event", ...match },
    action
  })
  const three = [event("one"), event("two"), event("three")].join("")

  test("http: without rules an answer comes as it was, in chunks of its own", async () => {
    const sent = chunked(three.slice(0, 5), three.slice(5, 30), three.slice(30)) + lastChunk
    const { world, proxy, client, upstream } = await streamed([], sent)
    upstream.socket.end()
    await world.settled(client.ended)

    expect(client.text().startsWith(head)).toBe(true)
    expect(client.text().endsWith(lastChunk)).toBe(true)
    expect(bodyOf(client.text())).toBe(three)
    await world.settled(proxy.stop())
  })

  test("http: events are dropped, doubled and put in, whatever the chunks are", async () => {
    const rules = [
      events({ where: { "/text": "two" } }, "drop"),
      events({ where: { "/text": "three" } }, "duplicate"),
      events({ where: { "/text": "one" } }, { type: "inject", bytes: { text: event("between") } })
    ]
    for (const sent of [chunked(three), chunked(...three)]) {
      const { world, proxy, client, upstream } = await streamed(rules, sent + lastChunk)
      upstream.socket.end()
      await world.settled(client.ended)

      expect(bodyOf(client.text())).toBe([event("one"), event("between"), event("three"), event("three")].join(""))
      expect(client.text().endsWith(lastChunk)).toBe(true)
      expect(proxy.connections()[0]?.leaderToClient).toMatchObject({ received: 4, dropped: 1, forwarded: 4 })
      await world.settled(proxy.stop())
    }
  })

  test("http: an event that waits for the next one comes behind it, and behind nothing when the stream ends first", async () => {
    for (const [text, order] of [
      ["one", ["two", "one", "three"]],
      ["three", ["one", "two", "three"]]
    ] as const) {
      const { world, proxy, client, upstream } = await streamed(
        [events({ where: { "/text": text } }, "reorder")],
        chunked(three) + lastChunk
      )
      await world.settled(client.has((head + chunked(...order.map(event)) + lastChunk).length))

      expect(client.text()).toBe(head + chunked(...order.map(event)) + lastChunk)
      upstream.socket.end()
      await world.settled(proxy.stop())
    }
  })

  test("http: a stream is cut within an event", async () => {
    const { world, proxy, client, upstream } = await streamed(
      [events({ where: { "/text": "two" } }, { type: "sever", afterBytes: 6 })],
      chunked(three) + lastChunk
    )

    await world.settled(Promise.all([over(client), over(upstream)]))

    expect(bodyOf(client.text())).toBe(`${event("one")}data: `)
    expect(proxy.totals()).toMatchObject({ severed: 1, frameErrors: 0 })
    await world.settled(proxy.stop())
  })

  test("http: an event is held until it is released, another one is late", async () => {
    const run = await streamed(
      [
        events({ where: { "/text": "two" } }, { type: "hold", barrier: "gate" }),
        events({ where: { "/text": "three" } }, { type: "delay", ms: 30 })
      ],
      chunked(three)
    )
    const { world, proxy, client } = run
    await world.settled(proxy.waitForHeld("gate"))
    await world.quiet()
    expect(bodyOf(client.text())).toBe(event("one"))

    expect(proxy.release("gate")).toBe(1)
    const { length } = head + chunked(event("one"), event("two"), event("three"))
    const tookMs = await timed(run, client.has(length))

    if (setting.time === "exact") expect(tookMs).toBe(30)
    expect(bodyOf(client.text())).toBe(three)
    await world.settled(proxy.stop())
  })

  test("http: what a client asks before it is answered waits for its turn, and is answered", async () => {
    const run = await startIn(setting, { framing: "http" })
    const { world, proxy, through } = run
    const { client, upstream } = await through()
    const ask = (path: string): string => asked(hostOf(run)).replace("/", path)
    const answer = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`

    void client.write(ask("/1") + ask("/2"))
    client.socket.end()
    await world.settled(upstream.has(ask("/1").length))
    void upstream.write(answer("one"))
    await world.settled(client.has(answer("one").length))
    await world.settled(upstream.has((ask("/1") + ask("/2")).length))
    void upstream.write(answer("two"))
    upstream.socket.end()
    await world.settled(Promise.all([client.closed, upstream.closed]))

    expect([upstream.text(), client.text()]).toEqual([ask("/1") + ask("/2"), answer("one") + answer("two")])
    await world.quiet()
    expect(proxy.totals()).toMatchObject({ active: 0, closed: 1, severed: 0, frameErrors: 0 })
    await world.settled(proxy.stop())
  })

  test("http: what is no HTTP is an error of that connection alone", async () => {
    const run = await startIn(setting, { framing: "http" })
    const { world, proxy, through } = run
    const [first, second] = [await through(), await through()]

    void first.client.write("what is this?\r\n\r\n")
    await world.settled(Promise.all([over(first.client), over(first.upstream)]))
    void second.client.write(asked(hostOf(run)))
    await world.settled(second.upstream.has(asked(hostOf(run)).length))

    expect(first.upstream.received()).toBe(0)
    expect(proxy.totals()).toMatchObject({ frameErrors: 1, severed: 1, active: 1 })
    await world.settled(proxy.stop())
  })

  test("http: latency of each event is that of the stream, not their sum", async () => {
    const run = await streamed([events({}, { type: "latency", ms: 25 })], chunked(three) + lastChunk)

    const tookMs = await timed(
      run,
      run.client.has(head.length + chunked(event("one"), event("two"), event("three")).length)
    )

    expectMs(setting, tookMs, 25)
    await run.world.settled(run.proxy.stop())
  })
}
