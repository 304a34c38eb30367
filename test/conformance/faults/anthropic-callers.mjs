import { load } from "../check.mjs"
import { answerOf, readAs } from "./reading.mjs"

const { Anthropic } = await load("@anthropic-ai/sdk")

const body = { model: "test-model", max_tokens: 100, messages: [{ role: "user", content: "hi" }] }

const connect = ({ origin, maxRetries, timeoutMs }) =>
  new Anthropic({
    apiKey: "k",
    baseURL: origin,
    logLevel: "off",
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs })
  })

const answered = ([{ content, stop_reason }]) =>
  answerOf({
    texts: content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
    finishes: [stop_reason],
    calls: content.flatMap((block) => (block.type === "tool_use" ? [JSON.stringify(block.input)] : []))
  })

/** @type {import("./observe.mjs").Caller} */
export const anthropicStream = {
  name: "@anthropic-ai/sdk stream",
  package: "@anthropic-ai/sdk",
  call: "messages.stream().finalMessage()",
  endpoint: "Messages",
  async ask(options) {
    const stream = connect(options).messages.stream(body, { signal: options.signal })
    return readAs([await stream.finalMessage()], answered)
  }
}

/** @type {import("./observe.mjs").Caller} */
export const anthropicReply = {
  name: "@anthropic-ai/sdk, no stream",
  package: "@anthropic-ai/sdk",
  call: "messages.create({})",
  endpoint: "Messages",
  async ask(options) {
    return readAs([await connect(options).messages.create(body, { signal: options.signal })], answered)
  }
}
