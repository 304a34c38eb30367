import { interleave, joined } from "../lists.ts"
import { logprobsJson } from "./logprobs.ts"
import { type ChatOptions, reasoningKeyOf } from "./options.ts"
import type { ChatAudioPart, ChatCall, ChatCallsPart, ChatChoice, ChatPart, ChatTextPart } from "./turn.ts"

/**
 * One chunk of a choice: its `delta` and its `logprobs`, both as JSON text.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChatDelta {
  readonly delta: string
  readonly logprobs: string
}

/**
 * The chunks of one choice before its finish chunk: the role first, then part after part. A single call without text is
 * announced in the role chunk.
 *
 * **Source** wire-formats.md, sections 2A.2 to 2A.6
 *
 * @since 0.1.0
 * @category encoding
 */
export const choiceDeltas = (choice: ChatChoice, options: ChatOptions): ReadonlyArray<ChatDelta> => {
  const [first, ...others] = choice.parts
  if (first?.kind === "calls" && others.length === 0) return loneCallDeltas(first)
  return joined([[openingDelta(choice.parts, options)], ...choice.parts.map((part) => partDeltas(part, options))])
}

const bare = (delta: string): ChatDelta => ({ delta, logprobs: "null" })

const loneCallDeltas = (part: ChatCallsPart): ReadonlyArray<ChatDelta> => {
  const [call, ...others] = part.calls
  if (call === undefined || others.length > 0) {
    return [bare('{"role":"assistant","content":null}'), ...callDeltas(part)]
  }
  const opening = { role: "assistant", content: null, tool_calls: [announcement(part, call, 0)], refusal: null }
  return [bare(JSON.stringify(opening)), ...fragmentDeltas(part, call, 0)]
}

const openingDelta = (parts: ReadonlyArray<ChatPart>, options: ChatOptions): ChatDelta => {
  const kinds = new Set(parts.map((part) => part.kind))
  const isSilent = !kinds.has("content") && (kinds.has("calls") || kinds.has("refusal") || kinds.has("audio"))
  const content = isSilent ? null : ""
  if (kinds.has("reasoning")) {
    return bare(JSON.stringify({ role: "assistant", content, [reasoningKeyOf(options)]: "" }))
  }
  return bare(JSON.stringify({ role: "assistant", content, refusal: kinds.has("refusal") ? "" : null }))
}

const partDeltas = (part: ChatPart, options: ChatOptions): ReadonlyArray<ChatDelta> => {
  if (part.kind === "calls") return callDeltas(part)
  if (part.kind === "audio") return audioDeltas(part)
  return textDeltas(part, part.kind === "reasoning" ? reasoningKeyOf(options) : part.kind)
}

const textDeltas = (part: ChatTextPart, key: string): ReadonlyArray<ChatDelta> => {
  const prefix = `{${JSON.stringify(key)}:`
  const logprob = part.logprob
  return part.pieces.map((piece) => ({
    delta: `${prefix}${JSON.stringify(piece)}}`,
    logprobs: logprob === null ? "null" : logprobsJson([piece], logprob)
  }))
}

const callDeltas = (part: ChatCallsPart): ReadonlyArray<ChatDelta> =>
  part.order === "interleaved"
    ? interleavedDeltas(part)
    : part.calls.flatMap((call, index) => [
        callsDelta([JSON.stringify(announcement(part, call, index))]),
        ...fragmentDeltas(part, call, index)
      ])

const interleavedDeltas = (part: ChatCallsPart): ReadonlyArray<ChatDelta> => {
  const announced = part.calls.map((call, index) => JSON.stringify(announcement(part, call, index)))
  const lists = part.calls.map((call, index) => callFragments(part, call, index))
  const rounds = Math.max(0, ...lists.map((list) => list.length))
  const deltas = Array.from({ length: rounds }, (_, round) =>
    callsDelta(interleave(lists.map((list) => list.slice(round, round + 1))))
  )
  return [callsDelta(announced), ...deltas]
}

const fragmentDeltas = (part: ChatCallsPart, call: ChatCall, index: number): ReadonlyArray<ChatDelta> =>
  callFragments(part, call, index).map((fragment) => callsDelta([fragment]))

const callsDelta = (entries: ReadonlyArray<string>): ChatDelta => bare(`{"tool_calls":[${entries.join(",")}]}`)

const callFragments = (part: ChatCallsPart, call: ChatCall, index: number): ReadonlyArray<string> => {
  if (part.isWhole) return []
  const key = part.tool === "custom" ? '"custom":{"input":' : '"function":{"arguments":'
  return call.arguments.pieces.map((piece) => `{"index":${index},${key}${JSON.stringify(piece)}}}`)
}

const announcement = (part: ChatCallsPart, call: ChatCall, index: number) => {
  const head = { index, id: call.callId, type: part.tool }
  const text = part.isWhole ? call.arguments.text : ""
  return part.tool === "custom"
    ? { ...head, custom: { name: call.name, input: text } }
    : { ...head, function: { name: call.name, arguments: text } }
}

const audioDeltas = (part: ChatAudioPart): ReadonlyArray<ChatDelta> =>
  [
    { id: part.id },
    ...part.transcript.pieces.map((transcript) => ({ transcript })),
    ...part.data.pieces.map((data) => ({ data })),
    { expires_at: part.expiresAt }
  ].map((audio) => bare(JSON.stringify({ audio })))
