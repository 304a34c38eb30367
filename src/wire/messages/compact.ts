import { SseEvent } from "../../domain/sse-event.ts"
import type { JsonObject } from "../json.ts"
import type { MessagesOptions } from "./options.ts"

/**
 * The byte-frozen six events of profile compact: no names, the whole text in one delta.
 *
 * **Source** wire-formats.md, section 2C.3
 *
 * @since 0.1.0
 * @category encoding
 */
export const compactTextEvents = (text: string, options: MessagesOptions): ReadonlyArray<SseEvent> => {
  const inputTokens = options.usage?.inputTokens ?? 10
  return [
    unnamed({ type: "message_start", message: openMessage(options, inputTokens) }),
    unnamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    unnamed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    unnamed({ type: "content_block_stop", index: 0 }),
    unnamed({
      type: "message_delta",
      delta: { stop_reason: options.stopReason ?? "end_turn" },
      usage: { output_tokens: options.usage?.outputTokens ?? 5, input_tokens: inputTokens }
    }),
    unnamed({ type: "message_stop" })
  ]
}

const openMessage = (options: MessagesOptions, inputTokens: number): JsonObject => ({
  id: options.id ?? "msg_test",
  type: "message",
  role: "assistant",
  content: [],
  model: options.model,
  stop_reason: null,
  usage: {
    input_tokens: inputTokens,
    output_tokens: options.usage?.startOutputTokens ?? 0,
    cache_creation_input_tokens: options.usage?.cacheCreationTokens ?? 0,
    cache_read_input_tokens: options.usage?.cacheReadTokens ?? 0
  }
})

const unnamed = (payload: JsonObject): SseEvent => SseEvent.data(JSON.stringify(payload))
