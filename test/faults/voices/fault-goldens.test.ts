import { describe, expect, it } from "vitest"
import { reasoningSuccess } from "../../../src/faults/catalogue/behaviors/reasoning-success.ts"
import { success } from "../../../src/faults/catalogue/behaviors/success.ts"
import { behaviorOf } from "../../../src/faults/catalogue/catalogue.ts"
import { goldens } from "./goldens.ts"
import { formats, measured, mock, streamed, textOf } from "./written.ts"

describe("the fault server's dialect", () => {
  for (const [name, ...pinned] of goldens) {
    for (const [at, format] of formats.entries()) {
      it(`writes ${name} in ${format} as the specification pins it`, () => {
        expect(measured(streamed(behaviorOf(name), mock(format, { chunkShape: "minimal" })))).toBe(pinned[at])
      })
    }
  }

  it("writes the minimal chunks of success in full", () => {
    expect(textOf(streamed(success, mock("chat", { chunkShape: "minimal" })))).toBe(
      [
        'data: {"choices":[{"index":0,"delta":{"content":"mock res"},"finish_reason":null}]}',
        'data: {"choices":[{"index":0,"delta":{"content":"ponse re"},"finish_reason":null}]}',
        'data: {"choices":[{"index":0,"delta":{"content":"covered"},"finish_reason":null}]}',
        'data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":23}}',
        "data: [DONE]",
        ""
      ].join("\n\n")
    )
  })

  it("ends the ids of Responses and Messages in the attempt of the lane", () => {
    const second = { laneAttempt: 2 }

    expect(textOf(streamed(reasoningSuccess, mock("responses", second))).match(/"\w+_mock_\d+"/g)).toSatisfy(
      (ids: ReadonlyArray<string>) => ids.every((id) => id.endsWith('_2"'))
    )
    expect(textOf(streamed(success, mock("messages", second)))).toContain('"id":"msg_mock_2"')
  })
})
