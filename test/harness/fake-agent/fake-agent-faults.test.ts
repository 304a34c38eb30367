import { describe, expect, test } from "vitest"
import { chunkTexts, fakeAgentWorld } from "./fake-agent-world.ts"

const rule = (does: object, more: object = {}) => ({ rules: [{ method: "session/prompt", does, ...more }] })

/** A turn of a fake agent: its lines, with nothing before them. */
const turnOf = (script: object, text = "hi") => {
  const world = fakeAgentWorld(script)
  const sessionId = world.session()
  world.prompt(7, sessionId, text)
  return { ...world, sessionId }
}

describe("rules", () => {
  test("silence answers nothing, however long one waits, and takes no cancel", () => {
    const world = turnOf(rule({ kind: "silent" }))

    world.clock.advance(1e9)
    world.send(JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: world.sessionId } }))

    expect(world.fresh()).toEqual([])
  })

  test("delays add up, and other calls are answered meanwhile", () => {
    const delay = { method: "session/prompt", does: { kind: "delay", ms: 250 } }
    const world = turnOf({ rules: [delay, delay] })

    world.request(8, "session/list")
    world.clock.advance(499)
    const before = world.messages()
    world.clock.advance(1)

    expect(before).toMatchObject([{ id: 8 }])
    expect(chunkTexts(world.messages())).toEqual(["Echo: ", "hi"])
  })

  test("a delayed turn can be cancelled, and a request can", () => {
    const world = turnOf(rule({ kind: "delay", ms: 250 }))
    world.send(JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: world.sessionId } }))
    world.prompt(8, world.sessionId, "again")
    world.send('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":8}}')
    world.clock.advance(1000)

    expect(world.messages()).toMatchObject([
      { id: 7, result: { stopReason: "cancelled" } },
      { id: 8, error: { code: -32800 } }
    ])
  })

  test("an error is meant for the call that it names", () => {
    const world = turnOf(rule({ kind: "error", code: -32603, message: "boom" }, { call: 2 }))
    const first = world.messages()
    world.prompt(8, world.sessionId, "again")

    expect(first.at(-1)).toMatchObject({ id: 7, result: { stopReason: "end_turn" } })
    expect(world.messages()).toEqual([{ jsonrpc: "2.0", id: 8, error: { code: -32603, message: "boom" } }])
  })

  test.each([[{ kind: "exit", code: 3 }], [{ kind: "crash", signal: "SIGSEGV" }]])(
    "%j ends the agent after a chunk, and nothing is read any more",
    (end) => {
      const world = turnOf(rule(end, { afterChunks: 1 }))

      world.request(8, "session/list")

      expect(chunkTexts(world.messages())).toEqual(["Echo: "])
      expect(world.ends).toEqual([end])
    }
  )

  test("a pause inside of an answer, and what happens behind it, are counted in chunks", () => {
    const rules = [
      { method: "session/prompt", afterChunks: 1, does: { kind: "delay", ms: 100 } },
      { method: "session/prompt", afterChunks: 2, does: { kind: "error", code: 1, message: "late" } }
    ]
    const world = turnOf({ rules })
    const before = chunkTexts(world.messages())
    world.clock.advance(100)

    expect(before).toEqual(["Echo: "])
    expect(world.messages()).toMatchObject([{ method: "session/update" }, { id: 7, error: { message: "late" } }])
  })

  test("a closed output comes behind what was written, and the agent goes on", () => {
    const world = turnOf(rule({ kind: "close output" }))

    expect(world.ends).toEqual(["output closed"])
    expect(world.fresh()).toHaveLength(3)
  })
})

describe("responses", () => {
  const altered = (responses: object) => {
    const world = fakeAgentWorld({ responses })
    world.request("Ab", "session/list")
    world.request(5, "session/list")
    return world.messages().map(({ id }) => id)
  }

  test("have the id in the form that is asked for", () => {
    expect(altered({ idAs: "lower" })).toEqual(["ab", 5])
    expect(altered({ idAs: "string" })).toEqual(["Ab", "5"])
    expect(altered({ idAs: "null" })).toEqual([null, null])
    const world = fakeAgentWorld({ responses: { idAs: "number" } })
    world.request("7", "session/list")
    expect(world.messages()).toMatchObject([{ id: 7 }])
  })

  test("come twice, or with one overtaking the other", () => {
    expect(altered({ duplicate: true })).toEqual(["Ab", "Ab", 5, 5])
    expect(altered({ outOfOrder: "session/list" })).toEqual([5, "Ab"])
  })

  test("are altered for one method alone, if one is named", () => {
    expect(altered({ duplicate: true, method: "session/new" })).toEqual(["Ab", 5])
  })

  test("that were overtaken by none come at the end of the input", () => {
    const world = fakeAgentWorld({ responses: { outOfOrder: "session/list" } })
    world.request(1, "session/list")
    expect(world.fresh()).toEqual([])
    world.agent.inputEnded()
    expect(world.messages()).toMatchObject([{ id: 1 }])
  })

  test("have both result and error, neither, or other lines around them", () => {
    const lines = (responses: object) => {
      const world = fakeAgentWorld({ responses })
      world.request(1, "session/list")
      return world.fresh()
    }
    const extraLines = [
      { at: "before", text: "npm warn" },
      { at: "after", text: '{"broken":' }
    ]

    expect(JSON.parse(lines({ broken: "both" })[0] ?? "")).toMatchObject({ result: { sessions: [] }, error: {} })
    expect(lines({ broken: "neither" })).toEqual(['{"jsonrpc":"2.0","id":1}'])
    expect(lines({ extraLines })).toEqual(["npm warn", expect.stringContaining("result"), '{"broken":'])
  })

  test("and all else lack jsonrpc, if that is asked for", () => {
    const world = turnOf({ noJsonrpc: true })

    expect(world.messages().every((message) => !("jsonrpc" in message))).toBe(true)
  })
})

describe("bytes", () => {
  test("of a turn are one write", () => {
    const world = fakeAgentWorld({ oneWrite: true, chunks: 50 })
    const sessionId = world.session()
    const before = world.writes.length
    world.prompt(1, sessionId, "say hello")

    expect(world.writes).toHaveLength(before + 1)
    const messages = world.messages()
    expect(messages).toHaveLength(51)
    expect(chunkTexts(messages).join("")).toBe("Echo: say hello")
  })

  test("are one write also when the turn is cancelled", () => {
    const world = turnOf({ oneWrite: true, ...rule({ kind: "silent" }, { afterChunks: 1 }) })
    expect(chunkTexts(world.messages())).toEqual(["Echo: "])
  })

  test("come in pieces, each alone", () => {
    const world = fakeAgentWorld({ chunkBytes: 10 })
    world.request(1, "session/list")
    const first = world.writes.length
    world.clock.advance(1000)

    expect(first).toBe(1)
    expect(world.writes.every(({ length }) => length <= 10)).toBe(true)
    expect(world.messages()).toMatchObject([{ id: 1 }])
  })

  test("are cut inside of every character of several", () => {
    const world = fakeAgentWorld({ splitUtf8: true })
    world.request(1, "_é€", {})
    world.clock.advance(1000)

    expect(world.writes.slice(0, 2).map((bytes) => bytes.at(-1))).toEqual([0xc3, 0xe2])
    expect(world.messages()).toMatchObject([{ result: { result: { method: "_é€" } } }])
  })

  test("and the end of the process waits for them", () => {
    const world = fakeAgentWorld({ chunkBytes: 10, rules: [{ method: "*", does: { kind: "exit", code: 3 } }] })
    world.send("garbage")
    world.request(1, "session/list")

    expect(world.ends).toEqual([])
    world.clock.advance(1000)
    expect(world.fresh()).toHaveLength(1)
    expect(world.ends).toEqual([{ kind: "exit", code: 3 }])
  })
})

describe("what a turn does before its answer", () => {
  test("asks the client one thing after the other, and says in the end what it heard", () => {
    const ask = (method: string) => ({ kind: "ask", method, params: { sessionId: "{sessionId}" } })
    const world = turnOf({ turn: [ask("fs/read_text_file"), ask("_x/ask")] })
    const first = world.messages()
    world.send('{"jsonrpc":"2.0","id":1,"result":{"content":"text"}}')
    const second = world.messages()
    world.send('{"jsonrpc":"2.0","id":"2","result":null}')
    world.send('{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}')

    expect(first).toEqual([
      { jsonrpc: "2.0", id: 1, method: "fs/read_text_file", params: { sessionId: world.sessionId } }
    ])
    expect(second).toMatchObject([{ id: 2, method: "_x/ask" }])
    const heard = [{ result: { content: "text" } }, { error: { code: -32601 } }]
    expect(world.messages().at(-1)).toMatchObject({ id: 7, result: { stopReason: "end_turn", _meta: { heard } } })
  })

  test("can use odd ids, one of them twice, and wait for nothing", () => {
    const ask = (id: string, waits: boolean) => ({ kind: "ask", method: "fs/read_text_file", id, waits })
    const world = turnOf({ turn: [ask("1e2", false), ask("null", false), ask('"\\u0041"', false), ask("1e2", true)] })
    const asked = world.fresh()
    world.send('{"jsonrpc":"2.0","id":100,"result":1}')
    expect(world.fresh()).toEqual([])
    world.send('{"jsonrpc":"2.0","id":100,"result":2}')

    expect(asked.map((line) => line.slice(0, 32))).toEqual([
      '{"jsonrpc":"2.0","id":1e2,"metho',
      '{"jsonrpc":"2.0","id":null,"meth',
      '{"jsonrpc":"2.0","id":"\\u0041","',
      '{"jsonrpc":"2.0","id":1e2,"metho'
    ])
    expect(world.messages().at(-1)).toMatchObject({ result: { _meta: { heard: [{ result: 2 }] } } })
  })

  test("a turn that waits for the client can be cancelled", () => {
    const world = turnOf({ turn: [{ kind: "ask", method: "session/request_permission" }] })
    world.send(JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: world.sessionId } }))
    world.send('{"jsonrpc":"2.0","id":1,"result":{}}')

    expect(world.messages()).toMatchObject([{ id: 1 }, { id: 7, result: { stopReason: "cancelled" } }])
  })

  test("tells of updates, notifications, lines of a size and stderr", () => {
    const world = turnOf({
      stderr: ["at the start"],
      turn: [
        { kind: "update", update: { sessionUpdate: "turn_completed" } },
        { kind: "notify", method: "_x.ai/foo", params: { method: "x.ai/foo", params: {} } },
        { kind: "line", text: "npm warn" },
        { kind: "big line", bytes: 1000 },
        { kind: "stderr", text: "in a turn" }
      ]
    })

    expect(world.stderr()).toBe("at the start\nin a turn\n")
    const lines = world.fresh()
    expect(lines.slice(0, 3)).toEqual([
      expect.stringContaining('"update":{"sessionUpdate":"turn_completed"}'),
      '{"jsonrpc":"2.0","method":"_x.ai/foo","params":{"method":"x.ai/foo","params":{}}}',
      "npm warn"
    ])
    expect(Buffer.byteLength(`${lines[3]}\n`)).toBe(1000)
  })
})

test("an agent that ignores the end of its input goes on", () => {
  const world = fakeAgentWorld({ ignoreEof: true })
  world.agent.inputEnded()
  expect(world.ends).toEqual([])
})

test.each([
  [{ chunk: 3 }, '`chunk` of the script is not known; did you mean "chunks"?'],
  [{ rules: [{ method: "initialize", does: { kind: "crush" } }] }, '`rules[0].does.kind` of the script is "crush"'],
  [{ rules: [{ method: "initialize", afterChunks: 1, does: { kind: "silent" } }] }, "comes in chunks"],
  [{ turn: [{ kind: "ask", method: "m", id: "{}" }] }, "`turn[0].id` of the script is {}"],
  [{ turn: [{ kind: "line", text: "x", byte: 1 }] }, "`turn[0].byte` of the script is not known"],
  [
    { rules: [{ method: "m", does: { kind: "delay", ms: 1, code: 1 } }] },
    "`rules[0].does.code` of the script is not known"
  ],
  [{ answer: "echo" }, '`answer` of the script is "echo"; use an object with a kind'],
  [[], "the script is []; use an object"]
])("a script that says %j is refused", (script, message) => {
  expect(() => fakeAgentWorld(script)).toThrow(message)
})
