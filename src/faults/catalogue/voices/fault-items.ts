import type { JsonObject } from "../../../wire/json.ts"
import { interleave } from "../../../wire/lists.ts"
import type { Turn, TurnCall } from "../voice.ts"
import type { FaultTerms } from "./fault-terms.ts"
import { incompleteReason } from "./incomplete-reason.ts"

/** The payload of an event before it has its number. */
export type FaultPayload = JsonObject & { readonly type: string }

/**
 * One output item of the fault server's Responses: what it is in the end, and the events that open, fill and close it.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultItem {
  readonly item: JsonObject
  readonly opening: ReadonlyArray<FaultPayload>
  readonly deltas: ReadonlyArray<FaultPayload>
  readonly closing: ReadonlyArray<FaultPayload>
}

/**
 * The items of a turn. The last one of an answer that was cut is incomplete.
 *
 * **Source** fault-server.md, section 9.4.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const faultItems = (turn: Turn, { laneAttempt }: FaultTerms): ReadonlyArray<FaultItem> => {
  const contents = turn.parts.flatMap(contentsOf)
  const counts = new Map<string, number>()
  return contents.map((content, outputIndex) => {
    const nth = (counts.get(content.kind) ?? 0) + 1
    counts.set(content.kind, nth)
    const isCut = incompleteReason(turn) !== null && outputIndex === contents.length - 1
    const prefix = `${prefixes[content.kind]}${nth === 1 ? "" : nth}`
    return itemOf(content, {
      id: `${prefix}_mock_${laneAttempt}`,
      outputIndex,
      status: isCut ? "incomplete" : "completed"
    })
  })
}

/**
 * The events of the items, one item after the other; interleaved calls are opened together and closed together.
 *
 * @since 0.1.0
 * @category encoding
 */
export const itemEvents = (turn: Turn, items: ReadonlyArray<FaultItem>): ReadonlyArray<FaultPayload> => {
  let from = 0
  return turn.parts.flatMap((part) => {
    const own = items.slice(from, from + contentsOf(part).length)
    from += own.length
    return part.kind === "calls" && part.isInterleaved === true ? inTurns(own) : own.flatMap(inOrder)
  })
}

const inOrder = ({ opening, deltas, closing }: FaultItem) => [...opening, ...deltas, ...closing]

const inTurns = (items: ReadonlyArray<FaultItem>) => [
  ...items.flatMap(({ opening }) => opening),
  ...interleave(items.map(({ deltas }) => deltas)),
  ...items.flatMap(({ closing }) => closing)
]

/** What one item holds. */
type Content =
  | { readonly kind: "text" | "reasoning"; readonly pieces: ReadonlyArray<string> }
  | { readonly kind: "call"; readonly call: TurnCall }

const contentsOf = (part: Turn["parts"][number]): ReadonlyArray<Content> =>
  part.kind === "calls" ? part.calls.map((call) => ({ kind: "call", call })) : [part]

const prefixes: Readonly<Record<Content["kind"], string>> = { text: "msg", reasoning: "rs", call: "fc" }

interface Place {
  readonly id: string
  readonly outputIndex: number
  readonly status: "completed" | "incomplete"
}

const itemOf = (content: Content, place: Place): FaultItem => {
  if (content.kind === "call") return callItem(content.call, place)
  return content.kind === "text" ? messageItem(content.pieces, place) : reasoningItem(content.pieces, place)
}

const messageItem = (pieces: ReadonlyArray<string>, { id, outputIndex, status }: Place): FaultItem => {
  const place = { item_id: id, output_index: outputIndex, content_index: 0 }
  const part = (text: string) => ({ type: "output_text", text, annotations: [] })
  const message = (reached: string, content: ReadonlyArray<JsonObject>) => ({
    id,
    type: "message",
    status: reached,
    role: "assistant",
    content
  })
  const text = pieces.join("")
  const item = message(status, [part(text)])
  return {
    item,
    opening: [
      { type: "response.output_item.added", output_index: outputIndex, item: message("in_progress", []) },
      { type: "response.content_part.added", ...place, part: part("") }
    ],
    deltas: pieces.map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
    closing: [
      { type: "response.output_text.done", ...place, text },
      { type: "response.content_part.done", ...place, part: part(text) },
      { type: "response.output_item.done", output_index: outputIndex, item }
    ]
  }
}

const reasoningItem = (pieces: ReadonlyArray<string>, { id, outputIndex }: Place): FaultItem => {
  const place = { item_id: id, output_index: outputIndex, summary_index: 0 }
  const part = (text: string) => ({ type: "summary_text", text })
  const reasoning = (summary: ReadonlyArray<JsonObject>) => ({ id, type: "reasoning", summary })
  const text = pieces.join("")
  const item = reasoning([part(text)])
  return {
    item,
    opening: [
      { type: "response.output_item.added", output_index: outputIndex, item: reasoning([]) },
      { type: "response.reasoning_summary_part.added", ...place, part: part("") }
    ],
    deltas: pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
    closing: [
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part: part(text) },
      { type: "response.output_item.done", output_index: outputIndex, item }
    ]
  }
}

const callItem = ({ id: callId, name, pieces }: TurnCall, { id, outputIndex, status }: Place): FaultItem => {
  const place = { item_id: id, output_index: outputIndex }
  const call = (reached: string, text: string) => ({
    id,
    type: "function_call",
    status: reached,
    call_id: callId,
    name,
    arguments: text
  })
  const text = pieces.join("")
  const item = call(status, text)
  return {
    item,
    opening: [{ type: "response.output_item.added", output_index: outputIndex, item: call("in_progress", "") }],
    deltas: pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    closing: [
      { type: "response.function_call_arguments.done", ...place, name, arguments: text },
      { type: "response.output_item.done", output_index: outputIndex, item }
    ]
  }
}
