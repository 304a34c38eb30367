import { SseEvent } from "../../../domain/sse-event.ts"
import type { FaultFormat } from "../voice.ts"

/** What is wrong with the payload of a malformed event. */
export type Malformation = "json" | "shape"

interface OddPayloads {
  readonly malformed: Readonly<Record<Malformation, SseEvent>>
  readonly unknown: SseEvent
  /** A JSON reply of a wrong shape. */
  readonly reply: string
}

const notJson = "{not-json"
const textDelta = "response.output_text.delta"
const blockDelta = "content_block_delta"

/**
 * What no provider sends, format by format: payloads that are no JSON or JSON of a wrong shape, and types of events that
 * nobody knows.
 *
 * **Source** fault-server.md, sections 9.4.4 and 9.4.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const oddPayloads: Readonly<Record<FaultFormat, OddPayloads>> = {
  chat: {
    malformed: { json: SseEvent.data(notJson), shape: SseEvent.data('{"choices":[null]}') },
    unknown: SseEvent.data('{"type":"mock_unknown"}'),
    reply: '{"choices":[null]}'
  },
  responses: {
    malformed: {
      json: SseEvent.withEvent(textDelta, notJson),
      shape: SseEvent.withEvent(textDelta, `{"type":"${textDelta}","delta":null}`)
    },
    unknown: SseEvent.withEvent("response.mock_unknown", '{"type":"response.mock_unknown"}'),
    reply: '{"output":null}'
  },
  messages: {
    malformed: {
      json: SseEvent.withEvent(blockDelta, notJson),
      shape: SseEvent.withEvent(blockDelta, `{"type":"${blockDelta}","index":0,"delta":null}`)
    },
    unknown: SseEvent.withEvent("mock_unknown", '{"type":"mock_unknown"}'),
    reply: '{"content":null}'
  }
}
