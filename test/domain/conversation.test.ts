import { describe, expect, it } from "vitest"
import { type ConversationRules, identify, type SessionRule } from "../../src/domain/conversation.ts"
import type { InferenceEndpoint } from "../../src/domain/endpoint.ts"
import type { Header } from "../../src/domain/request.ts"

interface Asked {
  readonly endpoint?: InferenceEndpoint
  readonly headers?: ReadonlyArray<Header>
  readonly body?: unknown
  readonly rules?: ConversationRules
}

const identified = ({ endpoint = "ChatCompletions", headers = [], body = {}, rules = {} }: Asked) => {
  const kind = "auxiliary" as const
  return identify({ endpoint, kind, headers, body: { text: JSON.stringify(body), value: body } }, rules)
}

const user = (content: unknown) => ({ role: "user", content })

/** Every way to name a session, in the order in which they are asked; each alone is in the request. */
const ways: ReadonlyArray<readonly [rule: SessionRule, session: string | RegExp, asked: Asked]> = [
  ["configured header", "team", { headers: [["x-team", "team"]], rules: { sessionHeader: "X-Team" } }],
  ["x-grok-session-id", "grok", { headers: [["x-grok-session-id", " grok "]] }],
  ["session-id", "plain", { headers: [["session-id", "plain"]] }],
  ["prompt_cache_key", "cache", { body: { prompt_cache_key: "cache" } }],
  ["bearer", /^[0-9a-f]{16}$/, { headers: [["authorization", "Bearer sk-secret"]] }],
  ["first user message", /^[0-9a-f]{16}$/, { body: { messages: [user("hello"), user("more")] } }],
  ["none", /^$/, {}]
]

/** One request that has all of these. */
const together = (all: ReadonlyArray<Asked>): Asked => ({
  headers: all.flatMap(({ headers = [] }) => headers),
  body: Object.assign({}, ...all.map(({ body = {} }) => body)),
  rules: Object.assign({}, ...all.map(({ rules = {} }) => rules))
})

describe("the session of a request", () => {
  it.each(ways)("is told by %s", (rule, session, asked) => {
    const found = identified(asked)

    expect(found.sessionRule).toBe(rule)
    expect(found.session).toMatch(session)
  })

  it.each(ways.map(([rule], index) => [rule, index] as const))(
    "is told by %s before all that come after it",
    (rule, index) => {
      const asked = together(ways.slice(index).map(([, , each]) => each))
      // Headers in the other order: what counts is the rule.
      const turned = { ...asked, headers: [...(asked.headers ?? [])].reverse() }

      expect([identified(asked).sessionRule, identified(turned).sessionRule]).toEqual([rule, rule])
    }
  )

  it.each(["", "  ", "\u00e9"])("is not told by a header of %j", (value) => {
    const headers: ReadonlyArray<Header> = [
      ["x-team", value],
      ["x-grok-session-id", value],
      ["session-id", value]
    ]

    expect(identified({ headers, rules: { sessionHeader: "x-team" } }).sessionRule).toBe("none")
  })

  it.each([
    ["a number", 7],
    ["an empty text", ""],
    ["null", null]
  ])("is not told by a prompt_cache_key that is %s", (_, key) => {
    expect(identified({ body: { prompt_cache_key: key } }).sessionRule).toBe("none")
  })

  it("is a digest where it is a key, and differs with it", () => {
    const bearer = (token: string) => identified({ headers: [["authorization", `bearer ${token}`]] }).session
    const named = (value: string) =>
      identified({ headers: [["x-api-key", value]], rules: { sessionHeader: "x-api-key" } }).session

    expect(bearer("a")).not.toBe(bearer("b"))
    expect(named("secret")).toMatch(/^[0-9a-f]{16}$/)
    expect(named("secret")).not.toBe(named("other"))
    expect(identified({ headers: [["x-api-key", "secret"]] }).sessionRule).toBe("none")
    expect(identified({ headers: [["authorization", "Basic abc"]] }).sessionRule).toBe("none")
  })

  it("stays that of the first message when more are said", () => {
    const of = (...said: ReadonlyArray<string>) => identified({ body: { messages: said.map(user) } }).session

    expect(of("hello", "more")).toBe(of("hello"))
    expect(of("more", "hello")).not.toBe(of("hello"))
  })
})

const toolResult = { type: "tool_result", tool_use_id: "t", content: "42" }
const system = { role: "system", content: "Be brief." }

describe("the turn of a request", () => {
  it.each<readonly [string, InferenceEndpoint, unknown, number]>([
    ["no message", "ChatCompletions", {}, 0],
    ["user messages of a chat", "ChatCompletions", { messages: [system, user("a"), user("b")] }, 2],
    [
      "tool results of a chat",
      "ChatCompletions",
      { messages: [user("a"), { role: "assistant", content: null }, { role: "tool", content: "42" }] },
      1
    ],
    ["a text as input", "Responses", { input: "hello" }, 1],
    [
      "a list as input",
      "Responses",
      { input: [{ role: "developer", content: "x" }, user("a"), user("b"), user("c")] },
      3
    ],
    ["outputs of functions", "Responses", { input: [user("a"), { type: "function_call_output", output: "42" }] }, 1],
    [
      "user messages",
      "Messages",
      { system: "x", messages: [user("a"), { role: "assistant", content: "b" }, user("c")] },
      2
    ],
    ["a message of tool results only", "Messages", { messages: [user("a"), user([toolResult, toolResult])] }, 1],
    [
      "a tool result with a question",
      "Messages",
      { messages: [user("a"), user([toolResult, { type: "text", text: "b" }])] },
      2
    ],
    ["a message without content", "Messages", { messages: [user([]), { role: "user" }] }, 2],
    ["what is no list", "Messages", { messages: "hello" }, 0]
  ])("counts %s (%s)", (_, endpoint, body, turns) => {
    expect(identified({ endpoint, body }).turn).toBe(turns)
  })
})

describe("the call of a request", () => {
  const call = (headers: ReadonlyArray<Header>, body: unknown = {}, rules: ConversationRules = {}) =>
    identified({ headers, body, rules })

  it("is its body, whatever the order of keys, with its request id if it has one", () => {
    expect(call([], { a: 1, b: 2 }).call).toBe(call([["user-agent", "x"]], { b: 2, a: 1 }).call)
    const ids = ["", "  ", "one", " one ", "two"].map((id) => call([["x-grok-req-id", id]]).call)
    expect(ids[0]).toBe(call([]).call)
    expect(ids[1]).toBe(ids[0])
    expect(ids[3]).toBe(ids[2])
    expect(new Set(ids).size).toBe(3)
  })

  it("is its idempotency key, by the header of the rules", () => {
    expect(call([["idempotency-key", " k "]])).toMatchObject({ call: "k", callRule: "idempotency header" })
    const rules = { idempotencyHeader: "X-Once" }
    expect(call([["x-once", "k"]], {}, rules)).toMatchObject({ call: "k", callRule: "idempotency header" })
    expect(call([["idempotency-key", "k"]], {}, rules).callRule).toBe("fingerprint")
  })
})
