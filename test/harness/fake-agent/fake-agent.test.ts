import { describe, expect, test } from "vitest"
import type { AnswerSink, ChatMessage } from "../../../src/ports/agent-surroundings.ts"
import { chunkTexts, fakeAgentWorld, memoryStore } from "./fake-agent-world.ts"

const response = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result })
const failure = (id: unknown, code: number) => expect.objectContaining({ id, error: expect.objectContaining({ code }) })

describe("a fake agent that does nothing wrong", () => {
  test("offers a way to authenticate, makes a session and echoes a prompt", () => {
    const world = fakeAgentWorld()

    world.request(0, "initialize", { protocolVersion: 1 })
    world.request(1, "authenticate", { methodId: "fixture.api_key" })
    const [initialized, authenticated] = world.messages()
    const sessionId = world.session()
    world.prompt(2, sessionId, "say hello")
    const turn = world.messages()

    expect(initialized).toMatchObject({
      id: 0,
      result: { protocolVersion: 1, authMethods: [{ id: "fixture.api_key" }] }
    })
    expect(authenticated).toEqual(response(1, {}))
    expect(chunkTexts(turn)).toEqual(["Echo: ", "say hello"])
    expect(turn.at(-1)).toEqual(response(2, { stopReason: "end_turn" }))
  })

  test("gives an id back as it was written", () => {
    const world = fakeAgentWorld()

    for (const id of ["1e2", "9007199254740993", '"\\u0041"', "null"]) {
      world.send(`{"jsonrpc":"2.0","id":${id},"method":"session\\/list"}`)
    }

    expect(world.fresh()).toEqual(
      ["1e2", "9007199254740993", '"\\u0041"', "null"].map(
        (id) => `{"jsonrpc":"2.0","id":${id},"result":{"sessions":[]}}`
      )
    )
  })

  test("refuses what it does not know, and lines that are no messages", () => {
    const world = fakeAgentWorld()

    world.request(1, "session/fly")
    world.request(2, "session/prompt", { sessionId: "nobody", prompt: [] })
    world.request(3, "session/new", {})
    for (const line of ["garbage", "[]", "{}", "", '{"jsonrpc":"2.0","id":4,"method":7}']) world.send(line)

    expect(world.messages()).toEqual([
      failure(1, -32601),
      failure(2, -32002),
      failure(3, -32602),
      failure(null, -32700),
      failure(null, -32600),
      failure(null, -32600),
      failure(4, -32600)
    ])
  })

  test("answers custom methods with what it was asked", () => {
    const world = fakeAgentWorld()

    world.request(1, "_x.ai/session/info", { sessionId: "s" })

    expect(world.messages()).toEqual([
      response(1, { result: { method: "_x.ai/session/info", params: { sessionId: "s" } } })
    ])
  })

  test("reads messages however their bytes are cut", () => {
    const world = fakeAgentWorld()
    const bytes = new TextEncoder().encode(
      '{"jsonrpc":"2.0","id":1,"method":"_é"}\r\n{"jsonrpc":"2.0","id":2,"method":"_b"}'
    )

    for (const byte of bytes) world.agent.received(Uint8Array.of(byte))
    world.agent.inputEnded()

    expect(world.messages().map(({ id }) => id)).toEqual([1, 2])
    expect(world.ends).toEqual([{ kind: "exit", code: 0 }])
  })

  test("says again what was said in a session that another process kept", () => {
    const store = memoryStore()
    const first = fakeAgentWorld({}, { store })
    first.prompt(1, first.session(), "héllo")
    const second = fakeAgentWorld({}, { store })

    second.request(1, "session/load", { sessionId: "session-1", cwd: "/w", mcpServers: [] })
    const [user, agent, loaded] = second.messages()

    expect(user).toMatchObject({ params: { update: { sessionUpdate: "user_message_chunk" } } })
    expect(chunkTexts([agent ?? {}])).toEqual(["Echo: héllo"])
    expect(loaded).toMatchObject({ id: 1, result: { modes: { currentModeId: "default" } } })
    expect(second.session()).toBe("session-2")
  })

  test("lists, sets and deletes sessions", () => {
    const world = fakeAgentWorld()
    const sessionId = world.session()

    world.request(1, "session/set_mode", { sessionId, modeId: "plan" })
    world.request(2, "session/set_mode", { sessionId, modeId: "walk" })
    world.request(3, "session/set_config_option", { sessionId, configId: "model", value: "other" })
    world.request(4, "session/list")
    world.request(5, "session/delete", { sessionId })
    world.request(6, "session/resume", { sessionId })

    expect(world.messages()).toEqual([
      expect.objectContaining({ method: "session/update" }),
      response(1, {}),
      failure(2, -32602),
      response(3, { configOptions: [expect.objectContaining({ currentValue: "other" })] }),
      response(4, { sessions: [{ sessionId, cwd: "/w" }] }),
      response(5, {}),
      failure(6, -32002)
    ])
  })

  test("refuses sessions until it knows who asks, if it is to", () => {
    const world = fakeAgentWorld({ requiresAuth: true, authMethods: ["key"] })

    world.request(1, "session/new", { cwd: "/w" })
    world.request(2, "authenticate", { methodId: "other" })
    world.request(3, "authenticate", { methodId: "key" })
    world.request(4, "session/new", { cwd: "/w" })

    expect(world.messages()).toMatchObject([
      { id: 1, error: { code: -32000 } },
      { id: 2, error: { code: -32602 } },
      { id: 3, result: {} },
      { id: 4, result: { sessionId: "session-1" } }
    ])
  })
})

describe("the answer of a model", () => {
  const model = () => {
    const calls: Array<{ messages: ReadonlyArray<ChatMessage>; sink: AnswerSink; isStopped: boolean }> = []
    return {
      calls,
      askModel: (messages: ReadonlyArray<ChatMessage>, sink: AnswerSink) => {
        const call = { messages, sink, isStopped: false }
        calls.push(call)
        return () => {
          call.isStopped = true
        }
      }
    }
  }

  test("comes piece by piece, and the model hears the whole conversation", () => {
    const { calls, askModel } = model()
    const world = fakeAgentWorld({ answer: { kind: "mock" } }, { askModel })
    const sessionId = world.session()
    world.prompt(1, sessionId, "one")
    for (const piece of ["a", "b"]) calls[0]?.sink.text(piece)
    expect(chunkTexts(world.messages())).toEqual(["a", "b"])
    calls[0]?.sink.done()
    expect(world.messages()).toEqual([response(1, { stopReason: "end_turn" })])

    world.prompt(2, sessionId, "two")

    expect(calls[1]?.messages.map(({ text }) => text)).toEqual(["one", "ab", "two"])
  })

  test("that fails is an error of the turn, and one that is cancelled is broken off", () => {
    const { calls, askModel } = model()
    const world = fakeAgentWorld({ answer: { kind: "mock" } }, { askModel })
    const sessionId = world.session()
    world.prompt(1, sessionId, "one")
    calls[0]?.sink.failed("HTTP 500")
    world.prompt(2, sessionId, "two")
    world.send(JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } }))
    calls[1]?.sink.text("too late")

    expect(world.messages()).toMatchObject([
      { id: 1, error: { code: -32603, message: "HTTP 500" } },
      { id: 2, result: { stopReason: "cancelled" } }
    ])
    expect(calls.map(({ isStopped }) => isStopped)).toEqual([true, true])
  })
})
