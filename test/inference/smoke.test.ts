import { expect, test } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse, SseEvent } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

test("a blocked answer stands before its last event until the test releases it", async () => {
  const { server, clock, http } = startVirtualServer({ profile: "compact" })
  const handle = server.expectResponseBlocked(
    "turn",
    InferenceRequestMatcher.auxiliary("ChatCompletions"),
    ScriptedResponse.sse([SseEvent.data('{"chunk":1}'), SseEvent.data("done")])
  )
  const response = http.connect().request({
    method: "POST",
    target: "/v1/chat/completions",
    headers: [["content-type", "application/json"]],
    body: "{}"
  })
  clock.settle()
  expect(response.status).toBe(200)
  expect(response.text()).toBe('data: {"chunk":1}\n\n')
  expect(handle.phase).toBe("Blocked")
  clock.advance(16_000)
  expect(response.text()).toBe('data: {"chunk":1}\n\n:\n\n')
  handle.release()
  expect(handle.isSatisfied()).toBe(false)
  clock.settle()
  expect(handle.isSatisfied()).toBe(true)
  expect(response.isComplete).toBe(true)
  const closing = server.close()
  clock.settle()
  expect(await closing).toEqual({ blocked: [] })
  expect(clock.armed()).toBe(0)
})
