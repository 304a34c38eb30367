import { deltaFrames, frame } from "./frame.ts"
import { type ItemPlace, itemAdded, itemDone, type OutputItem, paddingOf, referenceTo } from "./item.ts"
import type { CallPart, HostedPart } from "./turn.ts"

/**
 * A call of a function or of a custom tool, which the caller has to answer.
 *
 * **Source** wire-formats.md, sections 2B.6 and 2B.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const callItem = (part: CallPart, place: ItemPlace): OutputItem =>
  part.kind === "call" ? functionCallItem(part, place) : customCallItem(part, place)

/**
 * A tool that the provider runs itself.
 *
 * **Source** wire-formats.md, section 8.3
 *
 * @since 0.1.0
 * @category encoding
 */
export const hostedItem = (part: HostedPart, place: ItemPlace): OutputItem => {
  const { id, members } = referenceTo(part.idPrefix, place)
  const item = { id, ...part.done }
  return {
    item,
    opening: [itemAdded(place, { id, ...part.added })],
    deltas: part.steps.map(({ event, fields }) => frame(event, fields, members)),
    closing: [itemDone(place, item)]
  }
}

const functionCallItem = ({ callId, name, arguments: input }: CallPart, place: ItemPlace): OutputItem => {
  const { id, members } = referenceTo("fc", place)
  const call = (status: string, text: string) => ({
    id,
    type: "function_call",
    status,
    call_id: callId,
    name,
    arguments: text
  })
  const item = call(place.status, input.text)
  const stem = "response.function_call_arguments"
  return {
    item,
    opening: [itemAdded(place, call("in_progress", ""))],
    deltas: deltaFrames(`${stem}.delta`, { reference: members, pieces: input.pieces, trailer: paddingOf(place) }),
    closing: [frame(`${stem}.done`, { name, arguments: input.text }, members), itemDone(place, item)]
  }
}

const customCallItem = ({ callId, name, arguments: input }: CallPart, place: ItemPlace): OutputItem => {
  const { id, members } = referenceTo("ctc", place)
  const call = (text: string) => ({
    id,
    type: "custom_tool_call",
    call_id: callId,
    name,
    input: text
  })
  const item = call(input.text)
  const stem = "response.custom_tool_call_input"
  return {
    item,
    opening: [itemAdded(place, call(""))],
    deltas: deltaFrames(`${stem}.delta`, { reference: members, pieces: input.pieces, trailer: paddingOf(place) }),
    closing: [frame(`${stem}.done`, { input: input.text }, members), itemDone(place, item)]
  }
}
