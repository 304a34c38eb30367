import { describe, expect, it } from "vitest"
import type { ReaderTerms } from "../../../src/proxy/framing/framing.ts"
import { openHttpFraming } from "../../../src/proxy/http/open-http-framing.ts"
import { answered, ask, bytesOf, chunk, chunked, events, fed, one, open, run, shown, taken } from "./lanes.ts"

describe("what the framing of HTTP changes", () => {
  it("is Accept-Encoding and Host of requests, in the lines where they stand", () => {
    const { clientToLeader } = open({ upstreamHost: "api.test" })

    expect(
      shown(
        fed(
          clientToLeader,
          "GET / HTTP/1.1\r\nHOST: 127.0.0.1:1\r\nAccept-Encoding: gzip,\r\nX: y  \r\naccept-encoding: br\r\n\r\nGET / HTTP/1.0\r\n\r\n"
        )
      )
    ).toEqual([
      "head GET / HTTP/1.1\r\nHOST: api.test\r\nAccept-Encoding: identity\r\nX: y  \r\n\r\n",
      "head GET / HTTP/1.0\r\n\r\n"
    ])
  })

  it("is nothing of a Host where no other is given, and nothing of responses", () => {
    expect(shown(ask(open(), "GET / HTTP/1.1\nHost: a\n\n"))).toEqual(["head GET / HTTP/1.1\nHost: a\n\n"])
    const head = "HTTP/1.1 200 OK\r\nhost: a\r\naccept-encoding: gzip\r\ncontent-length: 0\r\n\r\n"
    expect(answered(head, one, open({ upstreamHost: "api.test" }))).toEqual([`head ${head}`])
  })

  const mayChange: ReaderTerms = { mayChangeLength: (direction) => direction === "leaderToClient" }
  const five = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\n\r\nwhole"

  it("is that bodies of a known length go on in chunks while rules may change lengths", () => {
    expect(answered(five, one, open({}, mayChange))).toEqual([
      "head HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nA: b\r\n\r\n",
      `body ${chunk("whole")}`,
      "- 0\r\n\r\n"
    ])
    expect(answered(five)).toEqual([`head ${five.slice(0, -5)}`, "body whole"])
    expect(shown(ask(open({}, mayChange), "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\na")).at(1)).toBe("body a")
  })

  it("is no length of what has no body, and of what goes to HTTP/1.0", () => {
    const whole = (response: string, request?: string): unknown => {
      const readers = open({}, mayChange)
      ask(readers, request)
      return shown(fed(readers.leaderToClient, response)).at(0)
    }
    const head = `head ${five.slice(0, -5)}`
    expect(whole(five, "GET / HTTP/1.0\r\n\r\n")).toBe(head)
    expect(whole(five, "HEAD / HTTP/1.1\r\n\r\n")).toBe(head)
    expect(whole("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na")).toContain("Content-Length: 1")
    expect(whole("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")).toContain("Content-Length: 0")
    expect(whole("HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n")).toContain("Content-Length: 5")
  })

  it("is the length in a head where a rule puts another one there", () => {
    const { rewriteLength } = openHttpFraming()
    const [head] = ask(open(), "POST / HTTP/1.1\r\nA: \u0080\r\ncontent-length: 3\r\n\r\n")

    expect(rewriteLength(head?.bytes ?? bytesOf(""), 4_000)).toEqual(
      bytesOf("POST / HTTP/1.1\r\nA: \u0080\r\ncontent-length: 4000\r\n\r\n")
    )
    expect(head?.last).toMatchObject({ headerBytes: head?.bytes.length })
    expect(rewriteLength(bytesOf(""), 4)).toEqual(bytesOf(""))
    const longest = `POST / HTTP/1.1\r\nA: ${"a".repeat(65_000)}\r\ncontent-length: 3\r\n\r\n`
    expect(rewriteLength(bytesOf(longest), 4)).toEqual(bytesOf(longest.replace("h: 3", "h: 4")))
  })
})

describe("a connection that is HTTP no more", () => {
  it("begins with 101, and is chunks of bytes both ways", () => {
    const woken: Array<string> = []
    const readers = open({}, { woken: (direction) => woken.push(direction) })
    const { clientToLeader, leaderToClient } = readers
    ask(readers, "GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n\u0081early")
    expect(clientToLeader.isWaiting?.()).toBe(true)
    expect(clientToLeader.heldBytes()).toBe(6)

    const parts = fed(leaderToClient, "HTTP/1.1 101 Switching Protocols\r\n\r\n\u0081\u0001a")

    expect(shown(parts)).toEqual(["head HTTP/1.1 101 Switching Protocols\r\n\r\n", "data \u0081\u0001a"])
    expect(woken).toEqual(["clientToLeader"])
    expect(clientToLeader.isWaiting?.()).toBe(false)
    expect(shown(taken(clientToLeader))).toEqual(["data \u0081early"])
    expect(shown(fed(clientToLeader, "\u0000\u0001"))).toEqual(["data \u0000\u0001"])
  })

  it("is not begun where an upgrade is refused: the next request is read", () => {
    const readers = open()
    ask(readers, "GET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\nGET /next HTTP/1.1\r\n\r\n")
    fed(readers.leaderToClient, "HTTP/1.1 100 Continue\r\n\r\n")
    expect(readers.clientToLeader.isWaiting?.()).toBe(true)

    fed(readers.leaderToClient, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")

    expect(shown(taken(readers.clientToLeader))).toEqual(["head GET /next HTTP/1.1\r\n\r\n"])
  })

  it("is what a CONNECT asks for, if it is granted", () => {
    const granted = open()
    ask(granted, "CONNECT a.test:443 HTTP/1.1\r\n\r\n\u0016hello")
    expect(shown(fed(granted.leaderToClient, "HTTP/1.1 200 OK\r\n\r\n\u0016hi"))).toEqual([
      "head HTTP/1.1 200 OK\r\n\r\n",
      "data \u0016hi"
    ])
    expect(shown(taken(granted.clientToLeader))).toEqual(["data \u0016hello"])

    const refused = open()
    ask(refused, "CONNECT a.test:443 HTTP/1.1\r\n\r\n\u0016hello")
    expect(shown(fed(refused.leaderToClient, "HTTP/1.1 407 No\r\ncontent-length: 2\r\n\r\nno")).at(1)).toBe("body no")
    taken(refused.clientToLeader)
    expect(refused.clientToLeader.failure()?.message).toContain("control character 0x16")
  })

  it("is what is left where no answer comes any more", () => {
    const readers = open()
    ask(readers, "CONNECT a.test:443 HTTP/1.1\r\n\r\n\u0016hello")

    expect(readers.leaderToClient.end()).toBeNull()

    expect(shown(taken(readers.clientToLeader))).toEqual(["data \u0016hello"])
  })
})

describe("what is no HTTP", () => {
  it("is refused behind the frames before it, and for good", () => {
    const readers = open()
    ask(readers)
    const { leaderToClient: lane } = readers

    const parts = fed(lane, `${events}${chunk("data: 1\n\ndata: 2")}1\r\nab`, run)

    expect(shown(parts)).toEqual([`head ${events}`, `event ${chunk("data: 1\n\n")}`])
    expect(lane.failure()).toEqual({
      reason: "bad header",
      message: "a chunk is longer than its size says, or does not end with CRLF"
    })
    expect(fed(lane, "HTTP/1.1 200 OK\r\n\r\n")).toEqual([])
    expect(lane.end()).toBeNull()
    expect(lane.heldBytes()).toBe(0)
  })

  it("is refused as soon as it is seen", () => {
    const refusal = (input: string) => {
      const { clientToLeader: lane } = open()
      fed(lane, input)
      return lane.failure()?.message
    }
    expect(refusal("\u0016\u0003\u0001")).toBe("the head of a request has the control character 0x16")
    expect(refusal('{"jsonrpc":"2.0"}\n')).toContain("none of HTTP/1.1")
    expect(refusal("POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n")).toContain("both")
    expect(refusal("GET / HTTP/1.1\r\n\r\n".repeat(10_001))).toBe("too many requests wait for their answers")
  })

  it("bounds frames that are kept, and no others", () => {
    const limited = (response: string, wish = one) => {
      const readers = open({ limitBytes: 8 })
      ask(readers)
      const parts = fed(readers.leaderToClient, response, wish)
      return [parts.length, readers.leaderToClient.failure()?.message]
    }
    const sized = (bytes: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`
    expect(limited(`${sized(8)}12345678`)).toEqual([2, undefined])
    expect(limited(sized(9))).toEqual([
      1,
      "a body that has to be whole, for a rule or the tail, has 9 bytes; at most 8 are kept"
    ])
    expect(limited(`${sized(9)}123456789`, run)).toEqual([2, undefined])
    const more = "that has to be whole, for a rule or the tail, has more than 8 bytes; at most 8 are kept"
    expect(limited(`${chunked}\r\n${chunk("12345678")}`)).toEqual([1, undefined])
    expect(limited(`${chunked}\r\n${chunk("123456789")}`)).toEqual([1, `a body ${more}`])
    expect(limited(`${events}${chunk("data:1\n\n")}${chunk("data:22\n\n")}`)).toEqual([2, `an event ${more}`])
    expect(limited(`${events}${chunk("data:22\n\n")}`, run)).toEqual([2, undefined])
  })
})
