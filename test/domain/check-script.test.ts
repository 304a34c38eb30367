import { describe, expect, it } from "vitest"
import { checkScript } from "../../src/domain/check-script.ts"
import { InvalidScript } from "../../src/domain/errors.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"
import { SseEvent } from "../../src/domain/sse-event.ts"

/** What a caller without types may give. */
const untyped = (value: unknown): ScriptedResponse => JSON.parse(JSON.stringify(value))

const withHeader = (name: string, value: string) => ScriptedResponse.empty(200, [[name, value]])

const paced = (pacing: string): ScriptedResponse => ({ ...ScriptedResponse.text(200, "x"), pacing: JSON.parse(pacing) })

const cut = (response: ScriptedResponse, afterBytes: number) => ScriptedResponse.cut(response, { afterBytes })

describe("checking a script", () => {
  it.each([
    ["status 100", ScriptedResponse.text(100, "")],
    ["status 999", ScriptedResponse.json(999, null)],
    ["every character of a header name", withHeader("!#$%&'*+-.^_`|~09azAZ", "x")],
    ["visible ASCII, spaces and tabs in a value", withHeader("x", "\t !~")],
    ["an empty value", withHeader("x", "")],
    ["no events", ScriptedResponse.sse([])],
    ["LF in data", ScriptedResponse.sse([SseEvent.data("a\nb\n")])],
    ["an empty name", ScriptedResponse.sse([SseEvent.withEvent("", "x")])],
    ["anything in raw text", ScriptedResponse.text(200, "\r\n\0日")],
    ["no head with a cut", ScriptedResponse.hangUp("stall")],
    ["a comment", ScriptedResponse.sse([SseEvent.comment(), SseEvent.comment("ping")])],
    ["a pause before a whole body", { ...ScriptedResponse.json(200, {}), pacing: { firstTokenMs: 5, jitterMs: 1 } }],
    ["a pause before a connection ends", { ...ScriptedResponse.hangUp(), pacing: { delayMs: 5 } }],
    ["a cut of all of a body", ScriptedResponse.cut(ScriptedResponse.text(200, "é"), { afterBytes: 0 })],
    ["a cut in the middle of a letter", ScriptedResponse.cut(ScriptedResponse.text(200, "é"), { afterBytes: 1 })]
  ])("lets %s pass", (_, script) => {
    expect(() => checkScript(script)).not.toThrow()
  })

  it.each([
    ["response status 99 is not allowed; use an integer from 100 to 999", ScriptedResponse.text(99, "")],
    ["response status 1000", ScriptedResponse.text(1_000, "")],
    ["response status NaN", ScriptedResponse.text(Number.NaN, "")],
    ['response header name "bad name" is not an HTTP token', withHeader("bad name", "x")],
    ['response header name "a:"', withHeader("a:", "x")],
    ['response header name ""', withHeader("", "x")],
    ['value of response header `x` is "a\\nb"; only visible ASCII', withHeader("x", "a\nb")],
    ["value of response header `x`", withHeader("x", "\x7f")],
    ["value of response header `x`", withHeader("x", "ü")],
    ['name of SSE event 1 is "a\\rb"', ScriptedResponse.sse([SseEvent.data(""), SseEvent.withEvent("a\rb", "")])],
    ["data of SSE event 0 holds a CR", ScriptedResponse.sse([SseEvent.data("a\r\nb")])],
    ["the JSON body is `undefined`", ScriptedResponse.json(200, undefined)],
    ["the JSON body is `undefined` or a function", ScriptedResponse.json(200, () => 1)],
    ["the JSON body cannot be written", ScriptedResponse.json(200, 1n)],
    ["response header `trailer` is not allowed", withHeader("Trailer", "x")],
    ['the SSE comment "a\\nb" must be one line of text', ScriptedResponse.sse([SseEvent.comment("a\nb")])],
    ["data of SSE event 0 is 7; use a text", untyped({ status: 200, body: { kind: "sse", events: [{ data: 7 }] } })],
    ["name of SSE event 0 is 7", untyped({ status: 200, body: { kind: "sse", events: [{ event: 7, data: "" }] } })],
    ['body kind "html" is not known; use "sse", "json"', untyped({ status: 200, body: { kind: "html" } })],
    ["body kind undefined is not known", untyped({ status: 200 })],
    ["the raw body is 7; use a text or a Uint8Array", untyped({ status: 200, body: { kind: "raw", bytes: 7 } })],
    ['ending "bang" is not known; use "end", "fin"', untyped({ status: 200, body: { kind: "empty" }, ending: "bang" })],
    ["pacing has no member `delay`; use delayMs, tokensPerSecond", paced('{"delay":5}')],
    [
      'pacing has no member `delayms`; use delayMs, tokensPerSecond, firstTokenMs, jitterMs, seed; did you mean "delayMs"?',
      paced('{"delayms":5}')
    ],
    ["pacing tokensPerSecond paces the events of a stream, and this body is raw", paced('{"tokensPerSecond":5}')],
    ["pacing does not pace pieces", { ...ScriptedResponse.pieces(200, []), pacing: { delayMs: 5 } }],
    [
      "the cut after 2 bytes leaves nothing out; use a whole number from 0 to 1",
      cut(ScriptedResponse.json(200, []), 2)
    ],
    ["the cut after -1 bytes leaves nothing out", cut(ScriptedResponse.text(200, "abc"), -1)],
    ["only a whole body is cut by bytes, and this one is sse", cut(ScriptedResponse.sse([SseEvent.data("a")]), 1)],
    ["a body that is cut cannot end cleanly", { ...ScriptedResponse.text(200, "abc"), cutBytes: 1 }],
    ["a response without a head cannot end cleanly", { ...ScriptedResponse.hangUp(), ending: "end" as const }]
  ])("says: %s", (message, script) => {
    expect(() => checkScript(script)).toThrow(InvalidScript)
    expect(() => checkScript(script)).toThrow(message)
  })

  it("fills in what may be left out", () => {
    const written = untyped({ status: 200, body: { kind: "sse", events: [{ data: "x" }] } })

    expect(checkScript(written)).toEqual(ScriptedResponse.sse([SseEvent.data("x")]))
  })

  it("refuses a JSON body that holds itself", () => {
    const ring: Record<string, unknown> = {}
    ring["self"] = ring

    expect(() => checkScript(ScriptedResponse.json(200, ring))).toThrow("the JSON body cannot be written: ")
  })
})
