import type { InferenceEndpoint } from "../../domain/endpoint.ts"
import { member } from "../../domain/json.ts"
import { ScriptedResponse } from "../../domain/scripted-response.ts"
import { chat, chatReply } from "../../wire/chat/chat.ts"
import { messages, messagesReply } from "../../wire/messages/messages.ts"
import { responses, responsesReply } from "../../wire/responses/responses.ts"
import type { ToolCall } from "../../wire/tool-call.ts"

/** What the model says: words, or a call of a tool that the request offers. */
export type Said = { readonly text: string } | ToolCall

/** The answer in the form of the API, as a stream where one is asked for. */
export const fuzzAnswer = (endpoint: InferenceEndpoint, body: unknown, said: Said): ScriptedResponse => {
  const model = textOf(member(body, "model")) ?? "tide-1"
  const isStream = member(body, "stream") === true
  const { events, reply } = builders[endpoint]
  return isStream
    ? ScriptedResponse.sse(events({ ...said, model }))
    : ScriptedResponse.json(200, reply({ ...said, model }))
}

/** The name of the first tool that a request offers; `null` where it offers none. */
export const toolOffered = (body: unknown): string | null => {
  const tools = member(body, "tools")
  if (!Array.isArray(tools)) return null
  for (const tool of tools) {
    const name = textOf(member(tool, "name")) ?? textOf(member(member(tool, "function"), "name"))
    if (name !== undefined) return name
  }
  return null
}

type Told = Said & { readonly model: string }
type Builder = {
  readonly events: (told: Told) => ReturnType<typeof chat.text>
  readonly reply: (told: Told) => unknown
}

const builders: Readonly<Record<InferenceEndpoint, Builder>> = {
  ChatCompletions: {
    events: (told) => ("text" in told ? chat.text(told) : chat.call(told)),
    reply: (told) => ("text" in told ? chatReply.text(told) : chatReply.call(told))
  },
  Responses: {
    events: (told) => ("text" in told ? responses.text(told) : responses.call(told)),
    reply: (told) => ("text" in told ? responsesReply.text(told) : responsesReply.call(told))
  },
  Messages: {
    events: (told) => ("text" in told ? messages.text(told) : messages.call(told)),
    reply: (told) => ("text" in told ? messagesReply.text(told) : messagesReply.call(told))
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)
