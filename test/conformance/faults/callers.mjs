// @ts-check
import { aiAnthropic, aiCompatible, aiDeepseek, aiOpenai, aiXai } from "./ai-callers.mjs"
import { anthropicReply, anthropicStream } from "./anthropic-callers.mjs"
import { mistralStream } from "./mistral-callers.mjs"
import { openaiChat, openaiChatReply, openaiResponses } from "./openai-callers.mjs"

/**
 * The rows of SDKs in the document, in its order.
 *
 * @type {ReadonlyArray<import("./observe.mjs").Caller>}
 */
export const documentCallers = [
  openaiChat,
  openaiResponses,
  anthropicStream,
  aiCompatible,
  aiOpenai,
  aiAnthropic,
  aiXai,
  aiDeepseek,
  mistralStream
]

/**
 * The callers of the page of faults, API by API.
 *
 * @type {ReadonlyArray<import("./observe.mjs").Caller>}
 */
export const pageCallers = [
  openaiChat,
  openaiChatReply,
  aiCompatible,
  mistralStream,
  openaiResponses,
  aiOpenai,
  anthropicStream,
  anthropicReply,
  aiAnthropic
]
