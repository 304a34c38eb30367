import { describe, expect, it } from "vitest"
import {
  InferenceRequestMatcher,
  InvalidOption,
  InvalidScript,
  MockModelEntry,
  ScriptedResponse
} from "../../src/index.ts"
import { startWorld } from "../support/virtual-world.ts"

/** A value that no type has checked, as plain JavaScript gives it. */
const untyped = (json: string) => JSON.parse(json)

describe("a caller without types", () => {
  it.each([
    ["7", '{"endpoint":"Messages","kind":"foreground"}', "an expectation is named 7; use a text"],
    [
      '"turn"',
      '{"endpoint":"chat","kind":"foreground"}',
      'expectation `turn` is for endpoint "chat"; use one of "ChatCompletions", "Responses", "Messages"'
    ],
    ['"turn"', '{"endpoint":"Messages"}', 'is for kind undefined; use "foreground" or "auxiliary"'],
    ['"turn"', "null", "expectation `turn` is for endpoint undefined"]
  ])("hears at registration what is wrong with name %s and matcher %s", (name, matcher, message) => {
    const { server } = startWorld()
    const register = () => server.expectResponse(untyped(name), untyped(matcher), ScriptedResponse.text(200, "x"))

    expect(register).toThrow(InvalidScript)
    expect(register).toThrow(message)
    expect(
      server.expectResponse("turn", InferenceRequestMatcher.foreground("Messages"), ScriptedResponse.empty(200)).phase
    ).toBe("Pending")
  })

  it("hears from each setter what it takes", () => {
    const { server } = startWorld()
    const seven = untyped("7")

    expect(() => server.setResponse(seven)).toThrow(new InvalidOption("the response is 7; use a text"))
    expect(() => server.setAgentTurns(["a", seven])).toThrow("the agent turn is 7; use a text")
    expect(() => server.setMessagesStopReason(untyped("null"))).toThrow("the stop reason is null; use a text")
    expect(() => server.setUserSubscriptionTier(seven)).toThrow("the subscription tier is 7; use a text")
    expect(() => server.setChunkDelay(untyped('"5"'))).toThrow("chunk delay is 5; use milliseconds")
    expect(() => server.setProfile(untyped('"huge"'))).toThrow(InvalidOption)
  })

  it.each([
    ["true", 'sessions is true; use an object, for example { sessionHeader: "x-session" }'],
    [
      '{"sessionheader":"x"}',
      'sessions has no member `sessionheader`; use sessionHeader, idempotencyHeader, retries; did you mean "sessionHeader"?'
    ],
    ['{"sessionHeader":7}', "sessions.sessionHeader is 7; use the name of a header"],
    ['{"idempotencyHeader":"a b"}', 'sessions.idempotencyHeader is "a b"; use the name of a header'],
    ['{"sessionHeader":""}', 'sessions.sessionHeader is ""; use the name of a header'],
    ['{"retries":true}', 'sessions.retries is true; use "own" or "any"']
  ])("hears at the start what is wrong with sessions %s", (sessions, message) => {
    expect(() => startWorld({ sessions: untyped(sessions) })).toThrow(InvalidOption)
    expect(() => startWorld({ sessions: untyped(sessions) })).toThrow(message)
  })

  it("hears that strict is yes or no", () => {
    expect(() => startWorld({ strict: untyped('"no"') })).toThrow(
      new InvalidOption('strict is "no"; use true or false')
    )
    const world = startWorld()
    expect(() => world.server.setStrict(untyped("1"))).toThrow("strict is 1; use true or false")
    expect(world.auxiliary("hello").status).toBe(200)
  })

  it("hears that a group of nothing is none", () => {
    const { server } = startWorld()
    const matcher = InferenceRequestMatcher.foreground("Messages")

    expect(() => server.expectAttempts("turn", matcher, [])).toThrow(InvalidScript)
    expect(() => server.expectAttempts("turn", matcher, [])).toThrow(
      'expectAttempts("turn") is given an empty list; give one or more responses, one for each try'
    )
    expect(() => server.expectAny("turn", [])).toThrow('expectAny("turn") is given an empty list; give one or more')
    expect(() => server.expectAny("turn", untyped("{}"))).toThrow('expectAny("turn") is given {}; use a list of')
    server.verify()
  })

  it.each([
    ["[null]", 'expectAny("turn"): member 1 is null; use a list of alternatives { matcher, response }'],
    ['[{"matcher":{"endpoint":"Messages","kind":"foreground"}}]', "the response is undefined; use a ScriptedResponse"],
    ['[{"response":{"status":200,"body":{"kind":"empty"}}}]', "expectation `turn#1` is for endpoint undefined"],
    [
      '[{"matcher":{"endpoint":"Messages","kind":"foreground","conditions":5},"response":{}}]',
      "expectation `turn#1` has conditions 5; use a list"
    ],
    [
      '[{"matcher":{"endpoint":"Messages","kind":"foreground"},"response":{"status":200,"body":{"kind":"empty"}},"barriers":5}]',
      "expectation `turn#1` has barriers 5; use a list"
    ]
  ])("hears what is wrong with alternatives %s", (alternatives, message) => {
    const { server } = startWorld()
    const register = () => server.expectAny("turn", untyped(alternatives))

    expect(register).toThrow(InvalidScript)
    expect(register).toThrow(message)
    server.verify()
  })

  it("hears what is wrong with the answers to attempts, and with the name of a group", () => {
    const { server } = startWorld()
    const matcher = InferenceRequestMatcher.foreground("Messages")
    const register = (responses: string) => () => server.expectAttempts("turn", matcher, untyped(responses))
    const answer = ScriptedResponse.empty(200)

    expect(register("[null]")).toThrow(InvalidScript)
    expect(register("[null]")).toThrow('expectAttempts("turn"): member 1 is null; use a list of responses')
    expect(register('[{"status":200,"body":{"kind":"sse"}}]')).toThrow(
      "the events of a stream are undefined; use a list"
    )
    expect(register('[{"status":200,"body":{"kind":"sse","events":[null]}}]')).toThrow("SSE event 0 is null; use {")
    expect(register('[{"status":200,"headers":5,"body":{"kind":"empty"}}]')).toThrow("the response headers are 5; use")
    expect(() => server.expectAttempts(untyped("7"), matcher, [answer])).toThrow(
      "an expectation is named 7; use a text"
    )
    expect(() => server.expectAny(untyped("7"), [{ matcher, response: answer }])).toThrow(InvalidScript)
    expect(() => server.expectResponse(untyped("7"), matcher, answer, { times: 2 })).toThrow(InvalidScript)
    expect(() => server.expectResponse("turn", matcher, untyped("null"))).toThrow(
      "the response is null; use a Scripted"
    )
    expect(() => server.enqueueResponse("/v1/messages", untyped("null"))).toThrow(InvalidScript)
    server.verify()
  })

  it("may give models as plain objects, and hears of one without an id", () => {
    const world = startWorld({ models: [untyped('{"id":"plain","apiBackend":"responses"}')] })
    expect(world.get("/v1/models").json()).toMatchObject({ data: [{ id: "plain", apiBackend: "responses" }] })

    expect(() => world.server.setModels([untyped("{}")])).toThrow("the id of a model is undefined; use a text")
    expect(() => world.server.setModels([MockModelEntry.new("")])).toThrow(InvalidOption)
    expect(() => world.server.setModels([MockModelEntry.new("a").withReasoningEfforts([1n])])).toThrow(
      "the reasoning efforts of model `a` are"
    )
    expect(world.get("/v1/models").json()).toMatchObject({ data: [{ id: "plain" }] })
  })
})
