import { load } from "../check.mjs"
import { answerOf, readAs } from "./reading.mjs"

const { Mistral } = await load("@mistralai/mistralai")

const body = { model: "test-model", messages: [{ role: "user", content: "hi" }] }

/** @type {import("./observe.mjs").Caller} */
export const mistralStream = {
  name: "mistral",
  package: "@mistralai/mistralai",
  call: "chat.stream()",
  endpoint: "ChatCompletions",
  async ask({ origin, timeoutMs, signal }) {
    const client = new Mistral({ apiKey: "k", serverURL: origin })
    // A signal takes the place of the client's own timeout.
    const options = timeoutMs === undefined ? { signal } : { timeoutMs }
    return readAs(await client.chat.stream(body, options), (events) => {
      const choices = events.flatMap(({ data }) => data.choices[0] ?? [])
      return answerOf({
        texts: choices.map(({ delta }) => delta.content),
        finishes: choices.map(({ finishReason }) => finishReason),
        calls: choices.flatMap(({ delta }) => delta.toolCalls?.map((call) => call.function.arguments) ?? [])
      })
    })
  }
}
