import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "llm-understudy"
import { expect, test } from "vitest"

test("a duplicate that overlaps its call gets the same answer and takes nothing", async () => {
  await using server = await MockInferenceServer.start()
  const matcher = InferenceRequestMatcher.foreground("Responses")
  const first = server.expectResponseBlocked("first", matcher, ScriptedResponse.text(210, "first answer"))
  const second = server.expectResponse("second", matcher, ScriptedResponse.text(211, "second answer"))
  const ask = () =>
    fetch(`${server.url()}/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-grok-req-id": "turn-1", "x-grok-turn-idx": "1" },
      body: JSON.stringify({ model: "tide-1", input: "Weather?" })
    })

  const answers = [ask(), ask()]
  await first.waitClaims(2)
  expect(second.phase).toBe("Pending")
  first.release()

  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
  expect(texts).toEqual(["first answer", "first answer"])
  expect(await (await ask()).text()).toBe("second answer") // its call is over: this is a new one
})
