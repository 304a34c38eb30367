import { describe, expect, it } from "vitest"
import { type BarrierPosition, placeBarriers } from "../../src/domain/barrier.ts"
import { InvalidScript } from "../../src/domain/errors.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"
import { stream } from "../support/scripts.ts"

const placeIn = (at: BarrierPosition, ...data: ReadonlyArray<string>) => placeBarriers([{ at }], stream(...data))[0]

describe("the place of a barrier", () => {
  it.each([
    ["head", { name: "head", place: "head" }],
    ["terminal", { name: "terminal", place: "terminal" }],
    [{ afterEvent: 0 }, { name: "afterEvent(0)", place: 0 }],
    [{ afterEvent: 2 }, { name: "afterEvent(2)", place: 2 }]
  ] as const)("of position %o is %o", (at, placed) => {
    expect(placeIn(at, "a", "b", "c")).toEqual(placed)
  })

  it("has the name that was given", () => {
    expect(placeBarriers([{ at: "head", name: "door" }], stream())).toEqual([{ name: "door", place: "head" }])
    expect(placeBarriers([], stream())).toEqual([])
  })

  it.each([
    ["a chunk with a finish reason", '{"choices":[{"delta":{},"finish_reason":"stop"}]}'],
    ["a second choice with one", '{"choices":[{"finish_reason":null},{"finish_reason":"length"}]}'],
    ["response.completed", '{"type":"response.completed","response":{}}'],
    ["response.incomplete", '{"type":"response.incomplete"}'],
    ["response.failed", '{"type":"response.failed"}'],
    ["message_delta", '{"type":"message_delta","delta":{"stop_reason":"end_turn"}}']
  ])("of the semantic end is before %s", (_, event) => {
    const started = '{"choices":[{"delta":{"content":"x"},"finish_reason":null}]}'

    expect(placeIn("semanticEnd", started, "[DONE]", "{}", event, "[DONE]")).toEqual({ name: "semanticEnd", place: 3 })
    expect(placeIn("semanticEnd", event, event)?.place).toBe(0)
  })

  it.each([
    ["no events", []],
    ["a terminal mark alone", ["[DONE]"]],
    ["finish reasons that are null", ['{"choices":[{"finish_reason":null}]}']],
    ["other types", ['{"type":"response.created"}', '{"type":"message_stop"}']]
  ])("of the semantic end is refused in a stream of %s", (_, data) => {
    expect(() => placeIn("semanticEnd", ...data)).toThrow(InvalidScript)
  })

  it.each([
    ScriptedResponse.json(200, {}),
    ScriptedResponse.text(200, "x"),
    ScriptedResponse.empty(204),
    ScriptedResponse.hangUp()
  ])("in other bodies is head or terminal: %o", (response) => {
    expect(placeBarriers([{ at: "head" }, { at: "terminal" }], response)).toHaveLength(2)
    expect(() => placeBarriers([{ at: { afterEvent: 0 } }], response)).toThrow(InvalidScript)
    expect(() => placeBarriers([{ at: "semanticEnd" }], response)).toThrow(InvalidScript)
  })

  it("is refused where it has no event, and where a name comes twice", () => {
    expect(() => placeIn({ afterEvent: 1 }, "a")).toThrow("use 0 to 0, or `terminal`")
    expect(() => placeIn({ afterEvent: Number.NaN }, "a")).toThrow(InvalidScript)
    expect(() => placeBarriers([{ at: "head" }, { at: "head" }], stream())).toThrow("two barriers are called `head`")
    expect(placeBarriers([{ at: "head" }, { at: "head", name: "again" }], stream())).toHaveLength(2)
  })
})
