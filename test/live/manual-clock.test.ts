import { expect, it } from "vitest"
import { startFaultServer } from "../../src/faults.ts"
import {
  InferenceRequestMatcher,
  InvalidOption,
  MockInferenceServer,
  ScriptedResponse,
  type ServerClock,
  SseEvent
} from "../../src/index.ts"
import { makeManualClock } from "../../src/live/manual-clock.ts"

const ask = (server: MockInferenceServer): Promise<Response> =>
  fetch(`${server.url()}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"stream":true}'
  })

it("a paced stream comes as far as the test lets time pass, over a real socket", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })
  server.setChunkDelay(1_000)
  server.enqueueResponse("/v1/chat/completions", ScriptedResponse.sse(["a", "b", "c"].map(SseEvent.data)))

  const reader = (await ask(server)).body?.pipeThrough(new TextDecoderStream()).getReader()
  await server.clock.advance("2 seconds")
  let seen = ""
  while (!seen.includes("b")) seen += (await reader?.read())?.value ?? ""

  expect(server.requests()[0]?.answer.events).toBe(2)
  expect(server.clock.now()).toBe(2_000)
  await server.clock.advance(1_000)
  expect(server.requests()[0]?.answer.outcome).toBe("completed")
})

it("a keep-alive of fifteen seconds is there at once", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })
  const turn = server.expectResponseBlocked(
    "turn",
    InferenceRequestMatcher.auxiliary("ChatCompletions"),
    ScriptedResponse.sse([SseEvent.data("x")])
  )
  const answer = await ask(server)
  await turn.waitBlocked()

  await server.clock.advance("45 s")
  turn.release()

  expect(await answer.text()).toBe(":\n\n:\n\n:\n\ndata: x\n\n")
})

it("a server on a held clock closes all the same, and cuts what is blocked", async () => {
  const server = await MockInferenceServer.start({ clock: "manual" })
  const turn = server.expectResponseBlocked(
    "turn",
    InferenceRequestMatcher.auxiliary("ChatCompletions"),
    ScriptedResponse.sse([])
  )
  const answer = await ask(server)
  await turn.waitBlocked()

  const { blocked } = await server.close({ drainMs: 1 })

  expect(blocked).toHaveLength(1)
  await expect(answer.text()).rejects.toThrow()
})

it.each([
  ["mock inference", () => MockInferenceServer.start()],
  ["fault", () => startFaultServer({ sequence: ["success"] })]
])("the clock of a %s server that runs by itself says how to hold it", async (_name, start) => {
  await using server: { readonly clock: ServerClock } & AsyncDisposable = await start()

  await expect(server.clock.advance(1)).rejects.toThrow('start it with { clock: "manual" }')
  await expect(server.clock.advance("soon")).rejects.toThrow('"soon" is no duration')
})

it("fires chained timers each at its own moment", async () => {
  const clock = makeManualClock()
  const fired: Array<number> = []
  const chain = (left: number): void => {
    fired.push(clock.now())
    if (left > 0) clock.arm(10, "link", () => chain(left - 1))
  }
  clock.arm(5, "first", () => chain(3))

  await clock.advance(100)

  expect([fired, clock.now()]).toEqual([[5, 15, 25, 35], 100])
})

it("lets no more time pass at once than anything may wait, and says so at once", async () => {
  await using server = await MockInferenceServer.start({ clock: "manual" })

  for (const duration of ["10000 hours", 1e300, 2_147_483_648]) {
    await expect(server.clock.advance(duration)).rejects.toThrow(InvalidOption)
    await expect(server.clock.advance(duration)).rejects.toThrow(/^advance\(\S+\): let 0 to 2147483647 ms pass/)
  }
  await expect(server.clock.advance(Number.NaN)).rejects.toThrow("NaN is no duration")
  await server.clock.advance(2_147_483_647)
  expect(server.clock.now()).toBe(2_147_483_647)
})
