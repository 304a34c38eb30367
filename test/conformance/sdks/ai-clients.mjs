import { clientsOf } from "../check.mjs"

/** The AI SDK with its providers; `model` makes a model of a provider, `endpoint` is what it talks to. */
const providers = [
  {
    name: "openai",
    package: "@ai-sdk/openai",
    endpoint: "Responses",
    model: ({ createOpenAI }, options) => createOpenAI(options).responses("test-model")
  },
  {
    name: "openai-chat",
    package: "@ai-sdk/openai",
    endpoint: "ChatCompletions",
    // The provider knows no reasoning of chat.
    hidesReasoning: true,
    model: ({ createOpenAI }, options) => createOpenAI(options).chat("test-model")
  },
  {
    name: "compatible",
    package: "@ai-sdk/openai-compatible",
    endpoint: "ChatCompletions",
    model: ({ createOpenAICompatible }, options) =>
      createOpenAICompatible({ name: "mock", includeUsage: true, ...options })("test-model")
  },
  {
    name: "anthropic",
    package: "@ai-sdk/anthropic",
    endpoint: "Messages",
    model: ({ createAnthropic }, options) => createAnthropic(options)("test-model")
  },
  {
    name: "xai",
    package: "@ai-sdk/xai",
    endpoint: "ChatCompletions",
    // The provider takes each piece of a call for all of it, as its service sends them.
    builderOptions: { wholeCalls: true },
    model: ({ createXai }, options) => createXai(options).chat("test-model")
  },
  {
    name: "xai-responses",
    package: "@ai-sdk/xai",
    endpoint: "Responses",
    model: ({ createXai }, options) => createXai(options).responses("test-model")
  },
  {
    name: "deepseek",
    package: "@ai-sdk/deepseek",
    endpoint: "ChatCompletions",
    model: ({ createDeepSeek }, options) => createDeepSeek(options)("test-model")
  }
]

export const aiClients = await clientsOf(
  "ai 6.0.326",
  providers.map((provider) => ({ ...provider, set: "sdks" }))
)

export const modelOf = (client, server, options = {}) =>
  client.model(client.sdk, { apiKey: "k", baseURL: server.url(), ...options })
