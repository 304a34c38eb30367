import { expect, it } from "vitest"
import { InferenceRequestMatcher, MockInferenceServer, ScriptedResponse, StartFailed } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

it("what is prepared is there before the first request can come", async () => {
  await using server = await MockInferenceServer.start({
    prepare: (controls) => {
      controls.setRequiredToken("key")
      controls.expectResponse("first", InferenceRequestMatcher.auxiliary("Messages"), ScriptedResponse.text(210, "x"))
    }
  })

  const ask = () =>
    fetch(`${server.url()}/messages`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })

  expect((await ask()).status).toBe(210)
  expect((await ask()).status).toBe(401)
})

it("a preparation that throws fails the start, and nothing listens", async () => {
  const broken = () => {
    throw new Error("not today")
  }

  await expect(MockInferenceServer.start({ prepare: broken })).rejects.toThrow("not today")
  await expect(MockInferenceServer.start({ prepare: broken })).rejects.not.toBeInstanceOf(StartFailed)
  expect(() => startVirtualServer({ prepare: broken })).toThrow("not today")
})
