import { Agent, request } from "node:http"
import { expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { startLive } from "../support/live-world.ts"
import { stream } from "../support/scripts.ts"

const requests = 1_000
const expectations = 500

/** One foreground turn; gives status and text. */
const turn = (origin: string, id: string, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "x-grok-req-id": id, "x-grok-turn-idx": "1" }
    const sent = request(`${origin}/v1/chat/completions`, { method: "POST", headers, agent }, (response) => {
      let text = `${response.statusCode} `
      response.setEncoding("utf8")
      response.on("data", (piece: string) => {
        text += piece
      })
      response.on("end", () => resolve(text))
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(JSON.stringify({ messages: [{ role: "user", content: id }] }))
  })

it("of 1000 concurrent requests 500 claim the 500 expectations, once each, in the order of the log", async () => {
  const { server, origin } = await startLive()
  const names = Array.from({ length: expectations }, (_, index) => `expectation ${index}`)
  const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
  const handles = names.map((name) => server.expectResponse(name, matcher, ScriptedResponse.text(209, name)))
  const agent = new Agent({ keepAlive: true, maxSockets: requests })

  const answers = await Promise.all(Array.from({ length: requests }, (_, id) => turn(origin, `${id}`, agent)))
  agent.destroy()

  const scripted = answers.filter((answer) => answer.startsWith("209 "))
  const echoes = answers.filter((answer) => answer.includes("Echo:"))
  expect([scripted.length, echoes.length]).toEqual([expectations, requests - expectations])
  expect([...scripted].sort()).toEqual(names.map((name) => `209 ${name}`).sort())
  expect(handles.every((handle) => handle.isSatisfied() && handle.claims === 1)).toBe(true)

  const log = server.requests()
  expect(log).toHaveLength(requests)
  const claimed = log.flatMap(({ answer }) => (answer.source === "expectation" ? [answer.expectation] : []))
  expect(claimed).toEqual(names)
  // Nobody got the echo while an expectation was pending.
  expect(log.slice(0, expectations).every(({ answer }) => answer.source === "expectation")).toBe(true)
  // Each client got what the log says of its request.
  for (const { header, answer } of log) {
    const said = answers[Number(header("x-grok-req-id"))]
    expect(said).toBe(`${answer.status} ${answer.text}`)
  }
})

it("1000 duplicates of one blocked call wait together and get the same bytes", async () => {
  const { server, origin } = await startLive()
  const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
  const handle = server.expectResponseBlocked("call", matcher, stream("one", "two"))
  const agent = new Agent({ keepAlive: true, maxSockets: requests })
  const calls = Array.from({ length: requests }, () => turn(origin, "same", agent))
  await handle.waitClaims(requests)
  expect(handle.isSatisfied()).toBe(false)

  handle.release()
  const answers = await Promise.all(calls)
  agent.destroy()

  expect(new Set(answers)).toEqual(new Set(["200 data: one\n\ndata: two\n\n"]))
  expect(handle.isSatisfied()).toBe(true)
})
