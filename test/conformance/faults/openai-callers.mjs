import { load } from "../check.mjs"
import { answerOf, readAs } from "./reading.mjs"

const { OpenAI } = await load("openai")

const model = "test-model"
const messages = [{ role: "user", content: "hi" }]

const connect = ({ url, maxRetries, timeoutMs }) =>
  new OpenAI({
    apiKey: "k",
    baseURL: url,
    logLevel: "off",
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs })
  })

/** Fragments of tool calls by their index, joined. */
const joined = (fragments) => {
  const calls = []
  for (const { index, function: part } of fragments) calls[index] = (calls[index] ?? "") + (part?.arguments ?? "")
  return calls
}

/** @type {import("./observe.mjs").Caller} */
export const openaiChat = {
  name: "openai chat",
  package: "openai",
  call: "chat.completions.create({ stream: true })",
  endpoint: "ChatCompletions",
  async ask(options) {
    const { signal } = options
    const stream = await connect(options).chat.completions.create({ model, messages, stream: true }, { signal })
    return readAs(stream, (chunks) => {
      const choices = chunks.flatMap((chunk) => chunk.choices[0] ?? [])
      return answerOf({
        texts: choices.map(({ delta }) => delta.content),
        finishes: choices.map(({ finish_reason }) => finish_reason),
        calls: joined(choices.flatMap(({ delta }) => delta.tool_calls ?? []))
      })
    })
  }
}

/** @type {import("./observe.mjs").Caller} */
export const openaiChatReply = {
  name: "openai chat, no stream",
  package: "openai",
  call: "chat.completions.create({})",
  endpoint: "ChatCompletions",
  async ask(options) {
    const reply = await connect(options).chat.completions.create({ model, messages }, { signal: options.signal })
    return readAs([reply], ([{ choices }]) => {
      const { message, finish_reason } = choices[0]
      const calls = message.tool_calls?.map((call) => call.function.arguments)
      return answerOf({ texts: [message.content], finishes: [finish_reason], calls })
    })
  }
}

/** @type {import("./observe.mjs").Caller} */
export const openaiResponses = {
  name: "openai responses.stream",
  package: "openai",
  call: "responses.stream().finalResponse()",
  endpoint: "Responses",
  async ask(options) {
    const stream = connect(options).responses.stream({ model, input: "hi" }, { signal: options.signal })
    return readAs([await stream.finalResponse()], ([response]) =>
      answerOf({
        texts: [response.output_text],
        finishes: [response.incomplete_details?.reason ?? response.status],
        calls: response.output.flatMap((item) => (item.type === "function_call" ? [item.arguments] : []))
      })
    )
  }
}
