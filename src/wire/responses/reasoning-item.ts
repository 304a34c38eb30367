import { isRecord } from "../../domain/json.ts"
import type { Fragments } from "../fragments.ts"
import { deltaFrames, type Frame, frame } from "./frame.ts"
import { type ItemPlace, itemAdded, itemDone, type OutputItem, paddingOf, referenceTo } from "./item.ts"
import type { ReasoningPart } from "./turn.ts"

/**
 * A thought: its summary parts one after the other, then the raw text if there is any. The encrypted blob appears only
 * in the finished item, and not when the request did not ask for it.
 *
 * **Source** wire-formats.md, section 2B.4
 *
 * @since 0.1.0
 * @category encoding
 */
export const reasoningItem = (part: ReasoningPart, place: ItemPlace): OutputItem => {
  const { id, members } = referenceTo("rs", place)
  const item = {
    id,
    type: "reasoning",
    summary: part.summary.map(({ text }) => ({ type: "summary_text", text })),
    ...(part.content === null ? {} : { content: [{ type: "reasoning_text", text: part.content.text }] }),
    ...(part.encrypted === null || isUnasked(place) ? {} : { encrypted_content: part.encrypted }),
    status: place.status
  }
  const added = { id, type: "reasoning", summary: [], ...(part.content === null ? {} : { content: [] }) }
  return {
    item,
    opening: [itemAdded(place, added)],
    deltas: [
      ...part.summary.flatMap((text, index) =>
        stretch(summaryForm, text, `${members},"summary_index":${index}`, place)
      ),
      ...(part.content === null ? [] : stretch(rawForm, part.content, `${members},"content_index":0`, place))
    ],
    closing: [itemDone(place, item)]
  }
}

interface StretchForm {
  readonly partEvent: string
  readonly textEvent: string
  readonly type: string
}

const summaryForm: StretchForm = {
  partEvent: "response.reasoning_summary_part",
  textEvent: "response.reasoning_summary_text",
  type: "summary_text"
}

const rawForm: StretchForm = {
  partEvent: "response.content_part",
  textEvent: "response.reasoning_text",
  type: "reasoning_text"
}

const stretch = (
  form: StretchForm,
  { text, pieces }: Fragments,
  reference: string,
  place: ItemPlace
): ReadonlyArray<Frame> => [
  frame(`${form.partEvent}.added`, { part: { type: form.type, text: "" } }, reference),
  ...deltaFrames(`${form.textEvent}.delta`, { reference, pieces, trailer: paddingOf(place) }),
  frame(`${form.textEvent}.done`, { text }, reference),
  frame(`${form.partEvent}.done`, { part: { type: form.type, text } }, reference)
]

// Without a request the script alone decides.
const isUnasked = ({ options: { request } }: ItemPlace): boolean => {
  if (!isRecord(request) || request["store"] === false) return false
  const include = request["include"]
  return !(Array.isArray(include) && include.includes("reasoning.encrypted_content"))
}
