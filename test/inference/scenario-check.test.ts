import { describe, expect, test } from "vitest"
import { checkSchema } from "../../src/inference/scenario-check.ts"
import { formatPath } from "../../src/inference/scenario-problem.ts"
import { scenarioSchema } from "../../src/inference/scenario-schema.ts"
import type { SchemaNode } from "../../src/inference/scenario-schema-node.ts"

const told = (value: unknown, node: SchemaNode = scenarioSchema): ReadonlyArray<string> =>
  checkSchema(node, { value, defs: scenarioSchema.$defs, path: [] }).map(
    ({ path, message, at }) => `${formatPath(path)} (${at}): ${message}`
  )

const response = (value: unknown) => told(value, scenarioSchema.$defs.response)

describe("the scenario schema", () => {
  test("lets pass an empty scenario, and one with everything in it", () => {
    const full = {
      $schema: "./scenario.schema.json",
      profile: "compact",
      apiKey: "secret",
      strict: true,
      sessions: { sessionHeader: "x-session", idempotencyHeader: "x-call", retries: "any" },
      faultHeader: false,
      models: [
        "a",
        { id: "b", agentType: "x", supportsBackendSearch: true, reasoningEfforts: ["low", { value: "high" }] }
      ],
      settings: null,
      userTier: "SuperGrok",
      mode: { text: "no" },
      chunkDelayMs: 2.5,
      messagesStopReason: "max_tokens",
      turns: ["one"],
      expectations: [
        {
          name: "first",
          endpoint: "Messages",
          kind: "foreground",
          response: { text: "hi", headers: { "retry-after": 1 } },
          barriers: ["head", { at: { afterEvent: 0 }, name: "x" }, { at: "terminal" }]
        },
        {
          name: "second",
          endpoint: ["ChatCompletions", "Responses"],
          kind: "auxiliary",
          times: 2,
          where: {
            headers: { a: "b", c: 5, d: { equals: 1 }, e: { matches: "^x", contains: "y" }, f: { present: false } },
            session: "ann",
            turn: 0,
            attempt: 1,
            body: { "": { present: true }, "/a~1b/0": { equals: null }, "/c": { contains: { d: 1 } } },
            lastUserMessage: { contains: "weather" }
          },
          attempts: [{ hangUp: "rst" }, { fault: "stall" }, "calm"]
        },
        { name: "third", times: 1, anyOf: [{ endpoint: "Messages", kind: "auxiliary", response: "hi", barriers: [] }] }
      ],
      queues: { "/v1/responses": ["hi", { status: 204 }], "/v1/settings": [{ json: null }] }
    }

    expect(told({})).toEqual([])
    expect(told(full)).toEqual([])
  })

  test.each([
    "hi",
    { text: "hi" },
    { text: "hi", reasoning: "hm", model: "m", stream: false, headers: {}, ending: "rst" },
    { text: "hi", pacing: { delayMs: 20, firstTokenMs: 100.5, jitterMs: 5, seed: 7 } },
    { toolCalls: [], pacing: { tokensPerSecond: 50 }, ending: { cut: "halfClose", afterEvent: 0 } },
    { toolCalls: [{ name: "f" }] },
    { toolCalls: [{ id: "c", name: "f", arguments: "{" }], text: "hi" },
    { error: "no", status: 429 },
    { sse: ["a", { event: "b", data: { c: 1 } }] },
    { json: [1], status: 201, pacing: { delayMs: 5, jitterMs: 2, seed: 1 } },
    { text: "hi", stream: false, ending: { cut: "rst", afterBytes: 5 } },
    { error: "no", pacing: { firstTokenMs: 5 }, ending: { cut: "vanish", afterBytes: 0 } },
    { raw: "x" },
    { hangUp: "stall", pacing: { delayMs: 5 } },
    { status: 204, pacing: { delayMs: 5 } },
    { fault: "rate_limit" },
    { fault: { name: "tool_call_success", toolName: "f", toolArguments: { a: 1 } } },
    { fault: { name: "cut_at_event", cutAfterEvents: 2, resetMode: "rst", disconnectDelayMs: 0 } }
  ])("knows the response %j", (value) => {
    expect(response(value)).toEqual([])
  })
})

describe("a problem", () => {
  test("names what is not one of the allowed words, and the one that was meant", () => {
    expect(told({ profile: "compct" })).toEqual([
      'profile (value): "compct" is not one of "full", "compact"; did you mean "compact"?'
    ])
    expect(told({ expectations: [{ name: "a", endpoint: "chat", kind: "auxiliary", response: "" }] })).toEqual([
      'expectations[0].endpoint (value): "chat" is not one of "ChatCompletions", "Responses", "Messages"; did you mean "ChatCompletions"?'
    ])
  })

  test("names the mapping that may stand in the place of a word", () => {
    expect(told({ at: "afterEvent 2" }, scenarioSchema.$defs.barrier)).toEqual([
      'at (value): "afterEvent 2" is not one of "head", "semanticEnd", "terminal" or { afterEvent: N }'
    ])
    expect(told("afterEvent 2", scenarioSchema.$defs.barrier)).toEqual([
      expect.stringContaining('"terminal" or { at: { afterEvent: N } }')
    ])
  })

  test("points at an unknown key and says which was meant, or which are known", () => {
    expect(told({ turn: [], x: 1 })).toEqual([
      'turn (key): is an unknown key; did you mean "turns"?',
      expect.stringContaining('x (key): is an unknown key; known here: "$schema", "profile", ')
    ])
  })

  test("does not call a misspelt key missing as well", () => {
    expect(told({ expectations: [{ nmae: "a", endpoint: "Messages", kind: "auxiliary", response: "" }] })).toEqual([
      'expectations[0].nmae (key): is an unknown key; did you mean "name"?'
    ])
  })

  test("says what to add where something is missing", () => {
    expect(told({ expectations: [{ name: "a", endpoint: "Messages", response: "" }] })).toEqual([
      'expectations[0] (value): has no "kind"; add it with one of "foreground", "auxiliary"'
    ])
  })

  test("tells a string from what YAML takes for a number", () => {
    expect(told({ turns: ["a", 5, true, null] })).toEqual([
      'turns[1] (value): 5 does not fit; give a string; as a string it is written "5"',
      'turns[2] (value): true does not fit; give a string; as a string it is written "true"',
      "turns[3] (value): an empty value (null) does not fit; give a string"
    ])
  })

  test("names the range of a number", () => {
    expect(told({ chunkDelayMs: -1 })).toEqual([
      "chunkDelayMs (value): -1 is out of range; give a number from 0 to 2147483647"
    ])
    expect(response({ json: 1, status: 99.5 })).toEqual([
      "status (value): 99.5 does not fit; give a whole number from 100 to 999"
    ])
  })

  test("names all forms of a response where none is there", () => {
    const forms = '"text", "toolCalls", "error", "fault", "sse", "json", "raw", "hangUp" or "status"'

    expect(response([])).toEqual([` (value): a list does not fit; give a string or a mapping with ${forms}`])
    expect(response({ headers: {} })).toEqual([` (value): has no ${forms}; add one, for it says what this is`])
    expect(response({ txt: "hi" })).toEqual(['txt (key): is an unknown key; did you mean "text"?'])
  })

  test("tells what another form allows and this one does not", () => {
    expect(response({ json: 1, stream: false })).toEqual([
      'stream (key): is not allowed beside "json"; allowed there: "json", "status", "headers", "ending", "pacing"'
    ])
    expect(response({ text: "a", json: 1 })).toEqual([
      expect.stringContaining('json (key): is not allowed beside "text"')
    ])
  })

  const plain = { name: "a", endpoint: "Messages", kind: "auxiliary" }
  const expectation = (more: object) => told({ ...plain, ...more }, scenarioSchema.$defs.expectation)
  const where = (value: unknown) => told(value, scenarioSchema.$defs.where)

  test("names the forms of an expectation where none is there, and what all of them need", () => {
    expect(expectation({})).toEqual([' (value): has no "response", "attempts" or "anyOf"; add one of them'])
    expect(told({}, scenarioSchema.$defs.expectation)).toEqual([
      ' (value): has no "name"; add it with a string',
      expect.stringContaining('has no "endpoint"; add it with one of "ChatCompletions"'),
      ' (value): has no "kind"; add it with one of "foreground", "auxiliary"',
      ' (value): has no "response", "attempts" or "anyOf"; add one of them'
    ])
    expect(told("hi", scenarioSchema.$defs.expectation)).toEqual([
      ' (value): "hi" does not fit; give a mapping with "response", "attempts" or "anyOf"'
    ])
  })

  test("knows the form of an expectation by its key, also when it is misspelt", () => {
    expect(expectation({ attemps: ["a"] })).toEqual(['attemps (key): is an unknown key; did you mean "attempts"?'])
    expect(told({ name: "a", anyof: [] }, scenarioSchema.$defs.expectation)).toEqual([
      'anyof (key): is an unknown key; did you mean "anyOf"?'
    ])
    expect(told({ name: "a", attempts: ["a"] }, scenarioSchema.$defs.expectation)).toEqual([
      expect.stringContaining('has no "endpoint"'),
      expect.stringContaining('has no "kind"')
    ])
  })

  test("tells which forms of an expectation do not go together", () => {
    expect(expectation({ response: "a", attempts: ["a"] })).toEqual([
      'attempts (key): is not allowed beside "response"; allowed there: "name", "endpoint", "kind", "where", "times", "response", "barriers"'
    ])
    expect(expectation({ attempts: ["a"], barriers: [] })).toEqual([
      expect.stringContaining('barriers (key): is not allowed beside "attempts"; allowed there: ')
    ])
    expect(told({ name: "a", kind: "auxiliary", anyOf: [] }, scenarioSchema.$defs.expectation)).toEqual([
      'kind (key): is not allowed beside "anyOf"; allowed there: "name", "times", "anyOf"',
      "anyOf (value): is a list of 0; give 1 or more"
    ])
  })

  test("says what conditions may be", () => {
    expect(where({})).toEqual([
      ' (value): is empty; give at least one of "headers", "session", "turn", "attempt", "body", "lastUserMessage"'
    ])
    expect(where({ header: { a: "b" } })).toEqual(['header (key): is an unknown key; did you mean "headers"?'])
    expect(where({ headers: { "a b": "c" }, body: { model: { equals: 1 } } })).toEqual([
      'headers["a b"] (key): "a b" is no HTTP header name; use letters, digits and -',
      'body.model (key): "model" is no JSON pointer; begin with /, and write ~1 for a / in a key and ~0 for a ~'
    ])
    expect(where({ headers: { a: {}, b: { present: false, equals: "x" }, c: { is: 1 } } })).toEqual([
      'headers.a (value): is empty; give at least one of "present", "equals", "contains", "matches"',
      'headers.b.equals (key): is not allowed beside "present"; allowed there: "present"',
      'headers.c.is (key): is an unknown key; known here: "present", "equals", "contains", "matches"'
    ])
    expect(where({ body: { "/a": "b" } })).toEqual([
      'body["/a"] (value): "b" does not fit; give a mapping with "present", "equals", "contains" or "matches"'
    ])
    expect(where({ session: 5, turn: -1, attempt: 0, lastUserMessage: { contains: "" } })).toEqual([
      'session (value): 5 does not fit; give a string; as a string it is written "5"',
      "turn (value): -1 is out of range; give a whole number from 0",
      "attempt (value): 0 is out of range; give a whole number from 1",
      "lastUserMessage.contains (value): is empty; give at least one character"
    ])
  })

  test("says what is wrong with a regular expression", () => {
    expect(where({ headers: { a: { matches: "x(" } }, lastUserMessage: { matches: "\\-" } })).toEqual([
      'headers.a.matches (value): "x(" is no regular expression: Unterminated group',
      'lastUserMessage.matches (value): "\\\\-" is no regular expression: Invalid escape'
    ])
  })

  test("says how a stream may end and be paced", () => {
    expect(response({ text: "a", ending: { cut: "end", afterEvent: 1 } })).toEqual([
      'ending.cut (value): "end" is not one of "fin", "rst", "halfClose", "stall", "vanish"'
    ])
    expect(response({ text: "a", ending: "cut" })).toEqual([
      'ending (value): "cut" is not one of "end", "fin", "rst", "halfClose", "stall", "vanish" or { cut: ..., afterEvent: N } or { cut: ..., afterBytes: N }'
    ])
    expect(response({ text: "a", pacing: { delay: 5 } })).toEqual([
      'pacing.delay (key): is an unknown key; did you mean "delayMs"?'
    ])
    expect(response({ text: "a", ending: { cut: "rst" } })).toEqual([
      'ending (value): has no "afterEvent" or "afterBytes"; add one of them'
    ])
  })

  test("points at names and values of headers, events and barriers", () => {
    expect(response({ raw: "", headers: { "a b": "x", ok: "a\nb" } })).toEqual([
      'headers["a b"] (key): "a b" is no HTTP header name; use letters, digits and -',
      'headers.ok (value): "a\\nb" is no HTTP header value; use visible ASCII, spaces and tabs'
    ])
    expect(response({ sse: ["a\rb", { event: "a\nb", data: "" }] })).toEqual([
      expect.stringContaining("sse[0] (value): "),
      expect.stringContaining("sse[1].event (value): ")
    ])
    expect(told({ at: { afterEvent: -1 } }, scenarioSchema.$defs.barrier)).toEqual([
      "at.afterEvent (value): -1 is out of range; give a whole number from 0"
    ])
  })

  test("never shows a key", () => {
    expect(told({ apiKey: "my secret" })).toEqual([
      expect.stringMatching(/^apiKey \(value\): the value must be visible/)
    ])
    expect(told({ apiKey: 12345 }).join()).not.toContain("apiKey (value): 12345")
  })

  test("cuts long values short", () => {
    expect(told({ profile: "x".repeat(10_000) }).join().length).toBeLessThan(200)
  })

  test("takes no member from the prototype of objects", () => {
    expect(told(JSON.parse('{"toString": 1, "__proto__": 2}'))).toHaveLength(2)
    expect(response({ constructor: 1 })).toEqual([expect.stringContaining("constructor (key): is an unknown key")])
  })
})
