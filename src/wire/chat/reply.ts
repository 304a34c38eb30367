import type { JsonObject } from "../json.ts"
import { logprobsJson } from "./logprobs.ts"
import { type ChatOptions, reasoningKeyOf } from "./options.ts"
import type { ChatCallsPart, ChatPart, ChatTurn } from "./turn.ts"
import { chatUsage } from "./usage.ts"

/**
 * The JSON reply of a turn. It has one form: profile compact never answers with JSON.
 *
 * **Source** wire-formats.md, section 2A.8
 *
 * @since 0.1.0
 * @category encoding
 */
export const chatReplyBody = (turn: ChatTurn, options: ChatOptions): JsonObject => ({
  id: options.id ?? "chatcmpl-mock",
  object: "chat.completion",
  created: options.created ?? 1234567890,
  model: options.model,
  choices: turn.choices.map((choice, index) => ({
    index,
    message: messageOf(choice.parts, options),
    logprobs: logprobsOf(choice.parts),
    finish_reason: choice.finishReason ?? "stop"
  })),
  usage: chatUsage(turn, options),
  service_tier: options.serviceTier ?? "default",
  system_fingerprint: options.systemFingerprint ?? "fp_mock"
})

const messageOf = (parts: ReadonlyArray<ChatPart>, options: ChatOptions): JsonObject => {
  const calls = parts.filter((part) => part.kind === "calls").flatMap(callEntries)
  const reasoning = textOf(parts, "reasoning")
  const [audio] = parts.filter((part) => part.kind === "audio").map(audioOf)
  return {
    role: "assistant",
    content: textOf(parts, "content") ?? contentWithout(parts),
    ...(reasoning === null ? {} : { [reasoningKeyOf(options)]: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(audio === undefined ? {} : { audio }),
    refusal: textOf(parts, "refusal"),
    annotations: []
  }
}

// An answer that only thought has empty content; one that calls, refuses or speaks has none.
const contentWithout = (parts: ReadonlyArray<ChatPart>): string | null =>
  parts.every((part) => part.kind === "reasoning") ? "" : null

const textOf = (parts: ReadonlyArray<ChatPart>, kind: "content" | "reasoning" | "refusal"): string | null => {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []))
  return texts.length === 0 ? null : texts.join("")
}

const callEntries = (part: ChatCallsPart): ReadonlyArray<JsonObject> =>
  part.calls.map((call) =>
    part.tool === "custom"
      ? { id: call.callId, type: "custom", custom: { name: call.name, input: call.arguments.text } }
      : { id: call.callId, type: "function", function: { name: call.name, arguments: call.arguments.text } }
  )

const audioOf = (part: Extract<ChatPart, { readonly kind: "audio" }>): JsonObject => ({
  id: part.id,
  data: part.data.text,
  transcript: part.transcript.text,
  expires_at: part.expiresAt
})

const logprobsOf = (parts: ReadonlyArray<ChatPart>): unknown => {
  for (const part of parts) {
    if (part.kind === "content" && part.logprob !== null) return JSON.parse(logprobsJson(part.pieces, part.logprob))
  }
  return null
}
