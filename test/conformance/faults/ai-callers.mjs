import { load } from "../check.mjs"
import { answerOf, readAs } from "./reading.mjs"

const { jsonSchema, streamText, tool } = await load("ai")

globalThis.AI_SDK_LOG_WARNINGS = false

/** The tool that the mock calls, or its call would be an error of its own. */
const tools = { mock_tool: tool({ inputSchema: jsonSchema({ type: "object" }) }) }

/** @returns {Promise<import("./observe.mjs").Caller>} */
const caller = async ({ name, package: packageName, endpoint, model }) => {
  const provider = await load(packageName)
  return {
    name,
    package: packageName,
    call: "streamText()",
    endpoint,
    async ask({ url, maxRetries, timeoutMs, signal }) {
      const { fullStream } = streamText({
        model: model(provider, { apiKey: "k", baseURL: url }),
        prompt: "hi",
        tools,
        abortSignal: signal,
        onError: () => {},
        ...(maxRetries === undefined ? {} : { maxRetries }),
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs })
      })
      return readAs(withoutErrors(fullStream), (parts) =>
        answerOf({
          texts: parts.map(({ type, text }) => (type === "text-delta" ? text : "")),
          finishes: parts.map(({ type, finishReason }) => (type === "finish" ? finishReason : null)),
          calls: parts.flatMap((part) => (part.type === "tool-call" ? [inputOf(part)] : []))
        })
      )
    }
  }
}

/** What a stream gives up to its first error, which is thrown; leaving it is an error as well. */
async function* withoutErrors(stream) {
  for await (const part of stream) {
    if (part.type === "error") throw part.error
    if (part.type === "abort") throw Object.assign(new Error(String(part.reason ?? "")), { name: "abort part" })
    yield part
  }
}

const inputOf = ({ input }) => (typeof input === "string" ? input : JSON.stringify(input))

export const aiCompatible = await caller({
  name: "ai-sdk openai-compatible",
  package: "@ai-sdk/openai-compatible",
  endpoint: "ChatCompletions",
  model: ({ createOpenAICompatible }, options) => createOpenAICompatible({ name: "mock", ...options })("test-model")
})

export const aiOpenai = await caller({
  name: "ai-sdk openai responses",
  package: "@ai-sdk/openai",
  endpoint: "Responses",
  model: ({ createOpenAI }, options) => createOpenAI(options).responses("test-model")
})

export const aiAnthropic = await caller({
  name: "ai-sdk anthropic",
  package: "@ai-sdk/anthropic",
  endpoint: "Messages",
  model: ({ createAnthropic }, options) => createAnthropic(options)("test-model")
})

export const aiXai = await caller({
  name: "ai-sdk xai responses",
  package: "@ai-sdk/xai",
  endpoint: "Responses",
  model: ({ createXai }, options) => createXai(options).responses("test-model")
})

export const aiDeepseek = await caller({
  name: "ai-sdk deepseek",
  package: "@ai-sdk/deepseek",
  endpoint: "ChatCompletions",
  model: ({ createDeepSeek }, options) => createDeepSeek(options)("test-model")
})
