import type { Fragments } from "../fragments.ts"
import type { JsonObject } from "../json.ts"
import { deltaFrames, frame } from "./frame.ts"
import { type ItemPlace, itemAdded, itemDone, type OutputItem, paddingOf, referenceTo } from "./item.ts"
import type { MessagePart, RefusalPart } from "./turn.ts"

/**
 * A message with text. Annotations are announced between the last delta and the end of the text.
 *
 * **Source** wire-formats.md, sections 2B.3 and 8.3
 *
 * @since 0.1.0
 * @category encoding
 */
export const messageItem = ({ text, annotations }: MessagePart, place: ItemPlace): OutputItem =>
  partItem(place, {
    name: "output_text",
    text,
    emptyPart: outputText("", []),
    part: outputText(text.text, annotations),
    deltaTrailer: { logprobs: [] },
    doneFields: { text: text.text, logprobs: [] },
    notes: annotations
  })

/**
 * A message that is a refusal.
 *
 * **Source** wire-formats.md, section 2B.9
 *
 * @since 0.1.0
 * @category encoding
 */
export const refusalItem = ({ text }: RefusalPart, place: ItemPlace): OutputItem =>
  partItem(place, {
    name: "refusal",
    text,
    emptyPart: { type: "refusal", refusal: "" },
    part: { type: "refusal", refusal: text.text },
    deltaTrailer: {},
    doneFields: { refusal: text.text },
    notes: []
  })

interface ContentPart {
  readonly name: "output_text" | "refusal"
  readonly text: Fragments
  readonly emptyPart: JsonObject
  readonly part: JsonObject
  readonly deltaTrailer: JsonObject
  readonly doneFields: JsonObject
  readonly notes: ReadonlyArray<JsonObject>
}

const outputText = (text: string, annotations: ReadonlyArray<JsonObject>): JsonObject => ({
  type: "output_text",
  text,
  annotations,
  logprobs: []
})

const partItem = (place: ItemPlace, content: ContentPart): OutputItem => {
  const { id, members } = referenceTo("msg", place)
  const reference = `${members},"content_index":0`
  const message = (status: string, parts: ReadonlyArray<JsonObject>): JsonObject => ({
    id,
    type: "message",
    status,
    role: "assistant",
    content: parts
  })
  const item = message(place.status, [content.part])
  const stem = `response.${content.name}`
  return {
    item,
    opening: [
      itemAdded(place, message("in_progress", [])),
      frame("response.content_part.added", { part: content.emptyPart }, reference)
    ],
    deltas: deltaFrames(`${stem}.delta`, {
      reference,
      pieces: content.text.pieces,
      trailer: { ...content.deltaTrailer, ...paddingOf(place) }
    }),
    closing: [
      ...content.notes.map((annotation, index) =>
        frame("response.output_text.annotation.added", { annotation_index: index, annotation }, reference)
      ),
      frame(`${stem}.done`, content.doneFields, reference),
      frame("response.content_part.done", { part: content.part }, reference),
      itemDone(place, item)
    ]
  }
}
