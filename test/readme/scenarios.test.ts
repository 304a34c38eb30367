import { readFileSync } from "node:fs"
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { MockInferenceServer } from "../../src/index.ts"
import { applyScenario } from "../../src/inference/scenario-apply.ts"
import { readScenario, type ScenarioScript, startOptions } from "../../src/inference/scenario-script.ts"
import { startVirtualServer } from "../../src/sim.ts"

const page = readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8")
const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = ""]) => yaml)

const script = (index: number): ScenarioScript => {
  const reading = readScenario(parse(blocks[index] ?? ""))
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.script
}

test("the scenario of the page is one, and a server plays it", () => {
  const { server, http, clock } = startVirtualServer()

  applyScenario(server, script(0))
  const ask = (headers: ReadonlyArray<readonly [string, string]>) =>
    http.connect().request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"], ...headers],
      body: '{"stream":true}'
    })
  const tool = ask([["x-grok-turn-idx", "1"]])
  const limited = ask([])
  clock.advance(1_000)

  expect(tool.text()).toContain('"name":"get_weather"')
  expect([limited.status, new Map(limited.headers).get("retry-after")]).toEqual([429, "1"])
})

test("the story of the page is told to a real client: conditions, its retries, a cut, an explained miss", async () => {
  const story = script(1)
  await using server = await MockInferenceServer.start({
    ...startOptions(story),
    prepare: (controls) => applyScenario(controls, story)
  })
  const ask = async (session: string, headers: Record<string, string> = {}) => {
    const client = new OpenAI({ baseURL: server.url(), apiKey: "any", defaultHeaders: { "x-session": session } })
    const reply = await client.chat.completions.create(
      {
        model: "tide-1",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "How is the weather?" }
        ]
      },
      { headers }
    )
    return reply.choices[0]?.message.content
  }
  const say = async (content: string) => {
    const answer = await fetch(`${server.url()}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content }] })
    })
    return answer.text()
  }

  expect(blocks).toHaveLength(3)
  await expect(ask("eve", { "x-team": "red" })).rejects.toThrow(
    'the nearest expectation (of 9 pending) is `ann\'s weather#1#1`: it wants session is "ann", but session is "eve"'
  )
  expect(await ask("bob")).toBe("Sea is calm.")
  expect(await ask("ann", { "x-team": "red" })).toBe("Sea is calm.")
  await expect(say("hello there")).rejects.toThrow("terminated")
  expect(await say("bye")).toContain("nothing is scripted")
})

test("the faults of the page are met by real clients: in attempts, in every API, in a queue, by header", async () => {
  const faults = script(2)
  await using server = await MockInferenceServer.start(startOptions(faults))
  const third = applyScenario(server, faults).handles.get("third try")
  const openai = new OpenAI({ baseURL: server.url(), apiKey: "any" })
  const anthropic = new Anthropic({ baseURL: server.origin(), apiKey: "any" })
  const messages = (content: string) => [{ role: "user" as const, content }]
  const say = (content: string) =>
    anthropic.messages.create({ model: "tide-1", max_tokens: 9, messages: messages(content) })

  const weather = openai.chat.completions.create({ model: "tide-1", messages: messages("How is the weather?") })
  await third?.waitBlocked()
  third?.release()

  expect((await weather).choices[0]?.message.content).toBe("Sea is calm.")
  expect(server.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  expect(await say("the secret")).toMatchObject({ stop_reason: "refusal" })
  expect(await openai.responses.create({ model: "tide-1", input: "the secret" })).toMatchObject({
    incomplete_details: { reason: "content_filter" }
  })
  expect(await say("How is the water?")).toMatchObject({ content: [{ text: "Sea is calm." }] })
  await expect(
    openai.responses.create({ model: "m", input: "x" }, { headers: { "x-understudy-fault": "not_found" } })
  ).rejects.toThrow("404")
  server.verify()
})
