import { describe, expect, test } from "vitest"
import { valueAt } from "../../src/domain/json-pointer.ts"
import { judgeCondition, type SeenRequest, seenRequest } from "../../src/domain/request-condition.ts"
import { scenarioConditions } from "../../src/inference/scenario-condition.ts"
import type { ScenarioWhere } from "../../src/inference/scenario-schema.ts"
import { lastUserText } from "../../src/inference/scenario-user-text.ts"

const request = (body: unknown = {}, headers: Record<string, string> = {}): SeenRequest =>
  seenRequest({ endpoint: "ChatCompletions", kind: "auxiliary", headers: Object.entries(headers), body }, () => ({
    session: "ann",
    turn: 2
  }))

/** What every condition wants, and what is said when it does not hold. */
const judged = (where: ScenarioWhere, seen: SeenRequest = request()) =>
  scenarioConditions(where).map((condition) => {
    const found = judgeCondition(condition, seen)
    return found === null ? `${condition.description}: holds` : `${condition.description}, but ${found}`
  })

describe("conditions of a scenario", () => {
  test("ask for headers, whatever the case of their names, by value, piece, pattern and presence", () => {
    const seen = request({}, { "x-team": "red one", "x-count": "5" })

    expect(
      judged(
        {
          headers: {
            "X-Team": { equals: "red one", contains: "one", matches: "^red" },
            "x-count": 5,
            "x-debug": { present: false }
          }
        },
        seen
      )
    ).toEqual([
      'header X-Team is "red one": holds',
      'header X-Team contains "one": holds',
      "header X-Team matches /^red/u: holds",
      'header x-count is "5": holds',
      "header x-debug is absent: holds"
    ])
    expect(
      judged(
        { headers: { "x-team": "red", "x-count": { matches: "^[a-z]$" }, a: { present: true }, b: { equals: 1 } } },
        seen
      )
    ).toEqual([
      'header x-team is "red", but header x-team is "red one"',
      'header x-count matches /^[a-z]$/u, but header x-count is "5"',
      "header a is present, but header a is absent",
      'header b is "1", but header b is absent'
    ])
  })

  test("show no value of a header that carries a key", () => {
    const headers = { Authorization: "Bearer mine", "x-api-key": { matches: "^mine" }, cookie: { contains: "mine" } }

    expect(judged({ headers }, request({}, { authorization: "Bearer yours", "x-api-key": "yours" }))).toEqual([
      "header Authorization is ***, but header Authorization is ***",
      "header x-api-key matches ***, but header x-api-key is ***",
      "header cookie contains ***, but header cookie is absent"
    ])
  })

  test("ask for the session, the turn and the attempt", () => {
    expect(judged({ session: "ann", turn: 2 })).toEqual(['session is "ann": holds', "turn is 2: holds"])
    expect(judged({ attempt: 2 }, { ...request(), attempt: 2 })).toEqual(["attempt is 2: holds"])
    expect(judged({ attempt: 2 })).toEqual(["attempt is 2, but attempts were not counted yet"])
    expect(judged({ session: "bob", turn: 1 })).toEqual([
      'session is "bob", but session is "ann"',
      "turn is 1, but turn is 2"
    ])
  })

  test("ask for places of the body by JSON pointer", () => {
    const seen = request({ model: "tide-1", seed: null, tools: [{ b: 2, a: 1 }], "a/b": { "~": true } })

    expect(
      judged(
        {
          body: {
            "/model": { equals: "tide-1", contains: "tide", matches: "\\d$" },
            "/seed": { equals: null },
            "/tools": { contains: { a: 1, b: 2 } },
            "/tools/0/a": { present: true },
            "/a~1b/~0": { equals: true },
            "/top_p": { present: false }
          }
        },
        seen
      )
    ).toEqual([
      'body /model is "tide-1": holds',
      'body /model contains "tide": holds',
      "body /model matches /\\d$/u: holds",
      "body /seed is null: holds",
      'body /tools contains {"a":1,"b":2}: holds',
      "body /tools/0/a is present: holds",
      "body /a~1b/~0 is true: holds",
      "body /top_p is absent: holds"
    ])
    expect(
      judged(
        { body: { "": { equals: {} }, "/seed": { equals: 0 }, "/tools": { contains: "a" }, "/x": { equals: 1 } } },
        seen
      )
    ).toEqual([
      expect.stringMatching(/^body is \{\}, but body is \{"model":"tide-1",/),
      "body /seed is 0, but body /seed is null",
      'body /tools contains "a", but body /tools is [{"b":2,"a":1}]',
      "body /x is 1, but body /x is absent"
    ])
  })

  test("ask for the text of the last user message", () => {
    const seen = request({ messages: [{ role: "user", content: "What is the weather?" }] })

    expect(judged({ lastUserMessage: { contains: "weather", matches: "^What" } }, seen)).toEqual([
      'the last user message contains "weather": holds',
      "the last user message matches /^What/u: holds"
    ])
    expect(judged({ lastUserMessage: { equals: "weather" } }, seen)).toEqual([
      'the last user message is "weather", but the last user message is "What is the weather?"'
    ])
    expect(judged({ lastUserMessage: { contains: "weather" } })).toEqual([
      'the last user message contains "weather", but the last user message is absent'
    ])
  })
})

describe("a JSON pointer", () => {
  test.each([
    ["", { a: [1] }],
    ["/a", [1]],
    ["/a/0", 1],
    ["/a/00", undefined],
    ["/a/-", undefined],
    ["/a/length", undefined],
    ["/toString", undefined],
    ["/b/c", undefined]
  ])("%j finds what stands there, and nothing else", (pointer, found) => {
    expect(valueAt({ a: [1] }, pointer)).toEqual(found)
  })

  test("unescapes ~1 before ~0", () => {
    expect(valueAt({ "~1": "right", "/": "wrong" }, "/~01")).toBe("right")
  })
})

describe("the last user message", () => {
  const part = (type: string, text: string) => ({ type, text })

  test.each([
    ["a plain input", { input: "hi" }, "hi"],
    ["a list of items", { input: [{ role: "user", content: [part("input_text", "hi")] }] }, "hi"],
    ["several texts", { messages: [{ role: "user", content: [part("text", "a"), part("text", "b")] }] }, "a\nb"],
    [
      "the turn before its tool results",
      {
        messages: [
          { role: "user", content: "hi" },
          { role: "assistant", content: "let me look" },
          { role: "user", content: [{ type: "tool_result", content: "40" }] }
        ]
      },
      "hi"
    ],
    ["none of an assistant", { messages: [{ role: "assistant", content: "hi" }] }, undefined],
    ["no text", { messages: [{ role: "user", content: [{ type: "image" }] }] }, undefined],
    ["no messages", {}, undefined]
  ])("is the text of %s", (_, body, text) => {
    expect(lastUserText(body)).toBe(text)
  })
})
