import OpenAI from "openai"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { type JudgeOptions, type SimWorld, withSim } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"

export const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
export const answer = (text: string) => ScriptedResponse.sse(sse.chat.text({ model: "tide-1", text }))

export const openaiOf = (sim: SimWorld, baseURL: string, client = "ann"): OpenAI =>
  new OpenAI({ apiKey: "any", baseURL, fetch: sim.fetch(client), maxRetries: 2, timeout: 10_000, logLevel: "off" })

export const posted = {
  method: "POST",
  headers: { "content-type": "application/json" },
  get body() {
    return JSON.stringify(said)
  }
}

export const said = {
  model: "tide-1",
  messages: [{ role: "user" as const, content: "Weather?" }],
  stream: true as const
}

/** A client that takes whatever it got for an answer. */
export const readAll = async (openai: OpenAI, options: { signal?: AbortSignal } = {}): Promise<string> => {
  let text = ""
  for await (const chunk of await openai.chat.completions.create(said, options))
    text += chunk.choices[0]?.delta.content ?? ""
  return text
}

/** What judges say of a run of the calm world. */
export const judged = (judge: JudgeOptions, body: (sim: SimWorld) => Promise<unknown>): Promise<string> =>
  withSim({ judge }, body).then(
    () => "nothing",
    (error: Error) => `${error.name}: ${error.message}`
  )
