import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { wordsOf } from "./asking.ts"
import type { Scenario, Stage } from "./stage.ts"

const openai = (stage: Stage, client: string, baseURL: string, maxRetries = 0): OpenAI =>
  new OpenAI({ apiKey: "any", baseURL, maxRetries, fetch: stage.fetch(client), logLevel: "off" })

const anthropic = (stage: Stage, client: string, baseURL: string, maxRetries = 0): Anthropic =>
  new Anthropic({ apiKey: "any", baseURL, maxRetries, fetch: stage.fetch(client), logLevel: "off" })

const messages = [{ role: "user" as const, content: "How is the sea?" }]

const threeApis: Scenario = async (stage) => {
  const server = await stage.startServer()
  const ann = openai(stage, "ann", server.url())
  const bob = anthropic(stage, "bob", server.origin())
  stage.tell("ann", await ann.chat.completions.create({ model: "m", messages }))
  for await (const chunk of await ann.chat.completions.create({ model: "m", messages, stream: true }))
    stage.tell("ann", chunk)
  stage.tell("ann", await ann.responses.create({ model: "m", input: "How is the sea?" }))
  for await (const event of await ann.responses.create({ model: "m", input: "Again?", stream: true }))
    stage.tell("ann", event)
  stage.tell("bob", await bob.messages.create({ model: "m", max_tokens: 9, messages }))
  for await (const event of await bob.messages.create({ model: "m", max_tokens: 9, messages, stream: true }))
    stage.tell("bob", event)
}

const retries: Scenario = async (stage) => {
  const server = await stage.startServer()
  server.expectAttempts("turn", InferenceRequestMatcher.auxiliary("ChatCompletions"), [
    ScriptedResponse.hangUp("rst"),
    ScriptedResponse.empty(503, [["retry-after-ms", "1"]]),
    stream('{"choices":[{"delta":{"content":"calm"}}]}', "[DONE]")
  ])
  const ann = openai(stage, "ann", server.url(), 3)
  const answer = await ann.chat.completions.create({ model: "m", messages, stream: true })
  for await (const chunk of answer) stage.tell("ann", chunk)
}

const brokenStreams: Scenario = async (stage) => {
  const server = await stage.startFaultServer({
    sequence: ["partial_disconnect", "garbage", "cut_before_done", "rate_limit", "success"],
    disconnectDelayMs: 1,
    resetMode: "rst"
  })
  const ann = openai(stage, "ann", server.url)
  for (let call = 1; call <= 5; call++) {
    try {
      for await (const chunk of await ann.chat.completions.create({ model: "m", messages, stream: true }))
        stage.tell("ann", chunk)
      stage.tell("ann", "whole")
    } catch (error) {
      stage.tell("ann", wordsOf(error))
    }
  }
}

/** By what they are about; the clients are unmodified SDKs. */
export const sdkScenarios: Readonly<Record<string, Scenario>> = {
  "SDKs, with streams and without, on three APIs": threeApis,
  "an SDK that tries again": retries,
  "an SDK and broken streams": brokenStreams
}
