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
        }
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
    { toolCalls: [{ name: "f" }] },
    { toolCalls: [{ id: "c", name: "f", arguments: "{" }], text: "hi" },
    { error: "no", status: 429 },
    { sse: ["a", { event: "b", data: { c: 1 } }] },
    { json: [1], status: 201 },
    { raw: "x" },
    { hangUp: "stall" },
    { status: 204 }
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
    const forms = '"text", "toolCalls", "error", "sse", "json", "raw", "hangUp" or "status"'

    expect(response([])).toEqual([` (value): a list does not fit; give a string or a mapping with ${forms}`])
    expect(response({ headers: {} })).toEqual([` (value): has no ${forms}; add one, for it says what this is`])
    expect(response({ txt: "hi" })).toEqual(['txt (key): is an unknown key; did you mean "text"?'])
  })

  test("tells what another form allows and this one does not", () => {
    expect(response({ json: 1, stream: false })).toEqual([
      'stream (key): is not allowed beside "json"; allowed there: "json", "status", "headers", "ending"'
    ])
    expect(response({ text: "a", json: 1 })).toEqual([
      expect.stringContaining('json (key): is not allowed beside "text"')
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
