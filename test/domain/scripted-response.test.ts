import { describe, expect, it } from "vitest"
import { InvalidScript } from "../../src/domain/errors.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"
import { SseEvent } from "../../src/domain/sse-event.ts"

const three = ScriptedResponse.sse(["1", "2", "3"].map(SseEvent.data))

describe("an answer that is cut", () => {
  it("has so many events, and ends as it is told", () => {
    expect(ScriptedResponse.cut(three, { afterEvent: 2, ending: "rst" })).toEqual({
      ...ScriptedResponse.sse(["1", "2"].map(SseEvent.data)),
      ending: "rst"
    })
    expect(ScriptedResponse.cut(three, { afterEvent: 0 })).toEqual({ ...ScriptedResponse.sse([]), ending: "fin" })
    expect(three.body).toMatchObject({ events: [{ data: "1" }, { data: "2" }, { data: "3" }] })
  })

  it.each([3, -1, 1.5, Number.NaN])("is no cut after event %d of three", (afterEvent) => {
    const cut = () => ScriptedResponse.cut(three, { afterEvent })

    expect(cut).toThrow(InvalidScript)
    expect(cut).toThrow("leaves nothing out; use a whole number from 0 to 2")
  })

  /** A value that no type has checked, as plain JavaScript gives it. */
  const untyped = (json: string) => JSON.parse(json)

  it.each<readonly [string, () => unknown, string]>([
    [
      "nowhere",
      () => ScriptedResponse.cut(three, untyped("null")),
      "where is null; use { afterEvent } or { afterBytes }"
    ],
    ["out of nothing", () => ScriptedResponse.cut(untyped("null"), { afterEvent: 1 }), "the response is null; use a"],
    ["out of no body", () => ScriptedResponse.cut(untyped("{}"), { afterEvent: 1 }), "the response is {}; use a"],
    [
      "to a clean end",
      () => ScriptedResponse.cut(three, { afterEvent: 1, ending: untyped('"end"') }),
      'a cut answer cannot have the ending "end"; use one of "fin", "rst", "halfClose", "stall", "vanish"'
    ],
    ["to no known end", () => ScriptedResponse.cut(three, { afterEvent: 1, ending: untyped('"x"') }), 'the ending "x"'],
    [
      "without a number",
      () => ScriptedResponse.cut(three, untyped("{}")),
      "the cut after event undefined leaves nothing"
    ],
    [
      "where there is nothing",
      () => ScriptedResponse.cut(ScriptedResponse.sse([]), { afterEvent: 0 }),
      "the cut after event 0 leaves nothing out; a stream of no events cannot be cut"
    ]
  ])("is not cut %s", (_, cut, message) => {
    expect(cut).toThrow(InvalidScript)
    expect(cut).toThrow(message)
  })

  it("is cut by bytes where it has no events", () => {
    expect(() => ScriptedResponse.cut(ScriptedResponse.json(200, {}), { afterEvent: 1 })).toThrow(
      "a json body has no events; cut it by { afterBytes }"
    )
  })
})
