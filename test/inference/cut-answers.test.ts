import { expect, it } from "vitest"
import { ScriptedResponse, SseEvent } from "../../src/index.ts"
import { startWorld } from "../support/virtual-world.ts"

const path = "/v1/chat/completions"
const cases = [
  ["JSON", ScriptedResponse.json(200, { tide: "höher" }), 11, '{"tide":"h\ufffd', "17", "application/json"],
  ["text", ScriptedResponse.text(200, "Sea is calm"), 3, "Sea", "11", "text/plain; charset=utf-8"],
  ["bytes", ScriptedResponse.bytes(200, Buffer.from("abc")), 0, "", "3", "application/octet-stream"]
] as const

it.each(cases)(
  "%s that is cut has the head of the whole, and so many bytes",
  (_, whole, afterBytes, text, length, type) => {
    const world = startWorld()
    world.server.enqueueResponse(path, ScriptedResponse.cut(whole, { afterBytes, ending: "rst" }))

    const call = world.auxiliary("hello")

    expect([call.status, call.header("content-length"), call.header("content-type")]).toEqual([200, length, type])
    const bytes = Buffer.concat(call.response.pieces.map((piece) => Buffer.from(piece.bytes)))
    expect([bytes.byteLength, bytes.toString("utf8"), call.response.ended]).toEqual([afterBytes, text, "rst"])
    expect(world.server.requests()[0]?.answer).toMatchObject({
      bytes: afterBytes,
      settled: "crossed",
      outcome: "reset"
    })
  }
)

it("a stream that is cut has so many events, and ends as it is told", () => {
  const world = startWorld()
  const whole = ScriptedResponse.sse(["1", "2", "3"].map(SseEvent.data))
  world.server.enqueueResponse(path, ScriptedResponse.cut(whole, { afterEvent: 2, ending: "rst" }))

  const call = world.auxiliary("hello")

  expect([call.text(), call.response.ended]).toEqual(["data: 1\n\ndata: 2\n\n", "rst"])
})
