import { describe, expect, it } from "vitest"
import { answered, ask, bytesOf, chunk, chunked, events, fed, one, open, run, shown } from "./lanes.ts"

describe("frames of HTTP", () => {
  it("are heads and bodies, of one request behind the other", () => {
    const { clientToLeader } = open()

    const parts = fed(
      clientToLeader,
      'POST /a HTTP/1.1\r\ncontent-length: 7\r\n\r\n{"a":1}GET /b HTTP/1.1\r\n\r\nPOST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n1\r\nc\r\n0\r\ny: 1\r\n\r\nGET /d'
    )

    expect(shown(parts)).toEqual([
      "head POST /a HTTP/1.1\r\ncontent-length: 7\r\n\r\n",
      'body {"a":1}',
      "head GET /b HTTP/1.1\r\n\r\n",
      "head POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
      `body ${chunk("abc")}`,
      "- 0\r\ny: 1\r\n\r\n"
    ])
    expect(clientToLeader.openBytes()).toBe(6)
    expect(clientToLeader.heldBytes()).toBe(6)
  })

  it("are the events of an event stream, without comments and what is no event", () => {
    const stream = `${chunk('data: {"n":1}\n\nda')}${chunk("ta: 2\n\n: ping\n\n")}${chunk("data: cut off")}0\r\n\r\n`

    expect(answered(events + stream)).toEqual([
      `head ${events}`,
      `event ${chunk('data: {"n":1}\n\n')}`,
      `event ${chunk("data: 2\n\n")}`,
      `- ${chunk(": ping\n\n")}`,
      `- ${chunk("data: cut off")}`,
      "- 0\r\n\r\n"
    ])
  })

  it("go through in runs that end where frames do, and in pieces behind that", () => {
    const readers = open()
    ask(readers)
    const { leaderToClient: lane } = readers
    fed(lane, events, run)
    lane.feed(bytesOf(chunk("data: 1\n\ndata: 2\n\ndata: 3\n\nda")))

    const two = lane.next({ most: 2, isWhole: false })
    const rest = lane.next({ most: 2, isWhole: false })

    expect(two).toMatchObject({ frames: 2, isWhole: false, last: { headerBytes: 0, totalBytes: 9, kind: "event" } })
    expect(rest).toMatchObject({ frames: 1, isWhole: false, last: null, bytes: bytesOf("data: 3\n\nda") })
    expect(lane.isInFrame()).toBe(true)
    // What was begun goes on in pieces, and ends where it ends.
    expect(fed(lane, chunk("ta:"))).toMatchObject([{ bytes: bytesOf("ta:"), frames: 0, isWhole: false }])
    const parts = fed(lane, chunk(" 4\n\ndata: 5\n\ndata: 6"))
    expect(parts.map(({ frames, isWhole }) => [frames, isWhole])).toEqual([
      [1, false],
      [1, true]
    ])
    expect(lane.isInFrame()).toBe(false)
    expect(lane.openBytes()).toBe(7)
    expect(lane.heldBytes()).toBe(7)
  })

  it("are counted when their body is over, where it has gone through in pieces", () => {
    const readers = open()
    ask(readers)
    const { leaderToClient: lane } = readers
    expect(fed(lane, `${chunked}\r\n${chunk("ab")}`, run)).toHaveLength(2)
    expect(lane.isInFrame()).toBe(true)

    const [counted, end, ...more] = fed(lane, "0\r\n\r\n", one)

    expect(counted).toMatchObject({ bytes: bytesOf(""), frames: 1, isWhole: false })
    expect(counted?.last).toEqual({ headerBytes: 0, totalBytes: 2, kind: "body" })
    expect(end).toMatchObject({ bytes: bytesOf("0\r\n\r\n"), frames: 0, envelope: null })
    expect(more).toEqual([])
    expect(lane.isInFrame()).toBe(false)
  })

  it("have no body where none can be", () => {
    const readers = open()
    for (const method of ["HEAD", "GET", "GET", "GET"]) ask(readers, `${method} / HTTP/1.1\r\n\r\n`)

    const parts = fed(
      readers.leaderToClient,
      "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"
    )

    expect(parts.map(({ last }) => last?.kind)).toEqual(["head", "head", "head", "head", "head", "body"])
  })

  it("end with the connection where nothing else ends a body", () => {
    const readers = open()
    ask(readers)
    const { leaderToClient: lane } = readers
    expect(shown(fed(lane, "HTTP/1.0 200 OK\r\n\r\nwhole"))).toEqual(["head HTTP/1.0 200 OK\r\n\r\n"])

    lane.close?.()

    expect(lane.next(one)).toMatchObject({ bytes: bytesOf("whole"), frames: 1, isWhole: true, last: { kind: "body" } })
    expect([lane.next(one), lane.openBytes(), lane.end()]).toEqual([null, 0, null])
  })

  it("are counted at the end of the connection, where the body has gone through in pieces", () => {
    const readers = open()
    ask(readers)
    const { leaderToClient: lane } = readers
    expect(shown(fed(lane, "HTTP/1.0 200 OK\r\n\r\nwhole", run)).at(-1)).toBe("- whole")
    lane.close?.()

    expect(lane.next(run)).toMatchObject({ bytes: bytesOf(""), frames: 1, isWhole: false, last: { totalBytes: 5 } })
    expect(lane.end()).toBeNull()
  })

  it("that the end of input cuts off are none, and go on as they are", () => {
    const cut = (input: string) => {
      const readers = open()
      ask(readers)
      fed(readers.leaderToClient, input)
      readers.leaderToClient.close?.()
      const rest = readers.leaderToClient.next(one) ?? readers.leaderToClient.end()
      return rest === null ? null : [...shown([rest]), rest.frames]
    }
    expect(cut("HTTP/1.1 200 OK\r\na: b\r\n")).toEqual(["- HTTP/1.1 200 OK\r\na: b\r\n", 0])
    expect(cut("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab")).toEqual(["- ab", 0])
    expect(cut(`${events}${chunk("data: 1\n")}`)).toEqual([`- ${chunk("data: 1\n")}`, 0])
    expect(cut(`${chunked}\r\n${chunk("ab")}3\r\nc`)).toEqual([`- ${chunk("abc")}`, 0])
    expect(cut(`${events}0\r\nx: 1`)).toEqual(["- 0\r\nx: 1", 0])
    expect(cut(`${events}`)).toBeNull()
    expect(cut("HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n")).toEqual(["- data: 1\n", 0])
  })

  it("are one body where events are packed", () => {
    const packed = (header: string): unknown => {
      const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${header}\r\n\r\n`
      return answered(`${head}${chunk("data: 1\n\n")}0\r\n\r\n`).map((part) => part.split(" ")[0])
    }
    expect(packed("transfer-encoding: chunked\r\ncontent-encoding: gzip")).toEqual(["head", "body", "-"])
    expect(packed("transfer-encoding: gzip, chunked")).toEqual(["head", "body", "-"])
    expect(packed("transfer-encoding: chunked\r\ncontent-encoding: identity")).toEqual(["head", "event", "-"])
  })
})

describe("contents of frames of HTTP", () => {
  const contents = (direction: "clientToLeader" | "leaderToClient", input: string): ReadonlyArray<unknown> => {
    const readers = open()
    if (direction === "leaderToClient") ask(readers)
    return fed(readers[direction], input).map((part) => readers[direction].content(part))
  }

  it("are what rules ask for: method, url, status, headers, the JSON of bodies and of data", () => {
    expect(
      contents("clientToLeader", 'POST /a?b HTTP/1.1\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 15\r\n\r\n{"stream":true}')
    ).toEqual([{ method: "POST", url: "/a?b", headers: { "x-a": "1, 2", "content-length": "15" } }, { stream: true }])
    expect(
      contents(
        "leaderToClient",
        `${events}${chunk('event: x\ndata: {"type":\ndata: "y"}\n\ndata: [DONE]\n\nevent: z\ndata: not json\n\n: ping\n\n')}0\r\n\r\n`
      )
    ).toEqual([
      {
        status: 200,
        headers: { "transfer-encoding": "chunked", "content-type": "text/event-stream; charset=utf-8" }
      },
      { type: "y" },
      { event: null, data: "[DONE]" },
      { event: "z", data: "not json" },
      undefined,
      undefined
    ])
    expect(contents("leaderToClient", "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ntext").at(1)).toBeUndefined()
  })
})
