import { describe, expect, it } from "vitest"
import type { Behavior } from "../../../src/faults/catalogue/behavior.ts"
import { connectionReset } from "../../../src/faults/catalogue/behaviors/connection-reset.ts"
import { empty } from "../../../src/faults/catalogue/behaviors/empty.ts"
import { emptyBody } from "../../../src/faults/catalogue/behaviors/empty-body.ts"
import { malformedEvent } from "../../../src/faults/catalogue/behaviors/malformed-event.ts"
import { malformedJson } from "../../../src/faults/catalogue/behaviors/malformed-json.ts"
import { maxTokens } from "../../../src/faults/catalogue/behaviors/max-tokens.ts"
import { partialDisconnect } from "../../../src/faults/catalogue/behaviors/partial-disconnect.ts"
import { partialEof } from "../../../src/faults/catalogue/behaviors/partial-eof.ts"
import { reasoningSuccess } from "../../../src/faults/catalogue/behaviors/reasoning-success.ts"
import { slowSuccess } from "../../../src/faults/catalogue/behaviors/slow-success.ts"
import { stall } from "../../../src/faults/catalogue/behaviors/stall.ts"
import { streamDisconnect } from "../../../src/faults/catalogue/behaviors/stream-disconnect.ts"
import { streamEof } from "../../../src/faults/catalogue/behaviors/stream-eof.ts"
import { success } from "../../../src/faults/catalogue/behaviors/success.ts"
import { toolCallSuccess } from "../../../src/faults/catalogue/behaviors/tool-call-success.ts"
import { wrongContentType } from "../../../src/faults/catalogue/behaviors/wrong-content-type.ts"
import { formats, measured, mock, streamed, textOf } from "./written.ts"

type Row = readonly [behavior: Behavior, chat: string, responses: string, messages: string]

// fault-server.md, sections 1.4 (with the event counts of 1.2) and 9.4.4. Behaviours with the same bytes stand together.
const successRow = ["5 / 398 / 16dbaec45111ba03", "11 / 2714 / 6dce1f2062867478", "8 / 976 / 17f7d73ff7fee8f5"] as const
const partialRow = ["4 / 334 / fd3fe2c81419a408", "8 / 1627 / e818539e6a06fb4b", "6 / 832 / 2cd5c9be7428db6c"] as const
const nothing = "0 / 0 / e3b0c44298fc1c14"

const rows: ReadonlyArray<Row> = [
  [success, ...successRow],
  [slowSuccess, ...successRow],
  [wrongContentType, ...successRow],
  [maxTokens, "5 / 400 / 4a5a13bf32c24bb2", "11 / 2745 / e70f04b4e2d36704", "8 / 978 / a8b25e4896e31f0a"],
  [reasoningSuccess, "7 / 586 / ca77dccac981b79f", "18 / 4254 / f9dd61336a91f0da", "13 / 1582 / b5774d3a9d6b9548"],
  [toolCallSuccess, "4 / 463 / 26875d85ddf72766", "8 / 2112 / aad0c809c27f42f1", "7 / 928 / 2d2b100f5b25aea4"],
  [empty, "2 / 143 / c84ed4ccbc08be47", "3 / 884 / 3b94de2034fb3e44", "3 / 417 / c92725392010320c"],
  [streamEof, "1 / 83 / e52fb8329d55431d", "1 / 245 / e33e7c06e4b350c7", "1 / 229 / a449a3821a18a814"],
  [partialEof, ...partialRow],
  [partialDisconnect, ...partialRow],
  [malformedJson, "2 / 31 / 195881544bda8665", "4 / 935 / 3b7989ee6840d207", "3 / 324 / a30607c8aa5e9ea0"],
  [malformedEvent, "2 / 40 / 83a70bcf84a9f0d6", "4 / 976 / 8ecd1c168ec8ee40", "3 / 368 / 84ea025145097a6f"],
  [emptyBody, nothing, nothing, nothing],
  [stall, nothing, nothing, nothing],
  [streamDisconnect, nothing, nothing, nothing],
  [connectionReset, nothing, nothing, nothing]
]

describe("the fault server's dialect", () => {
  for (const [behavior, ...goldens] of rows) {
    for (const [at, format] of formats.entries()) {
      it(`writes ${behavior.name} in ${format} as the specification pins it`, () => {
        expect(measured(streamed(behavior, mock(format, { chunkShape: "minimal" })))).toBe(goldens[at])
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
