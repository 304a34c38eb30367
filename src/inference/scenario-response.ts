import type { InferenceEndpoint, WireProfile } from "../domain/endpoint.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import { SseEvent } from "../domain/sse-event.ts"
import { chat, chatReply } from "../wire/chat/chat.ts"
import { errorBody } from "../wire/errors.ts"
import { messages, messagesReply } from "../wire/messages/messages.ts"
import { responses, responsesReply } from "../wire/responses/responses.ts"
import type { ToolCall } from "../wire/tool-call.ts"
import type {
  ScenarioEnding,
  ScenarioFault,
  ScenarioPacing,
  ScenarioResourceResponse,
  ScenarioResponse
} from "./scenario-schema.ts"

/** What an answer is built with besides what the file says of it. */
export interface AnswerContext {
  readonly endpoint: InferenceEndpoint
  readonly profile: WireProfile
  /** The model that answers name by default. */
  readonly model: string
}

/**
 * The response that a scenario describes for an inference path. Its bytes are fixed here: a text is streamed in the form
 * of the endpoint's API unless `stream` is false, whatever the request will ask for. Only a fault is left to be made for the
 * request that takes it. All of an answer is there, also where it is cut: `readAnswer` cuts it.
 *
 * **Fails** never; what cannot be served is found by `checkScript`
 *
 * @since 0.1.0
 * @category builders
 */
export const scenarioResponse = (written: ScenarioResponse, context: AnswerContext): ScriptedResponse => {
  if (typeof written === "string") return scenarioResponse({ text: written }, context)
  if ("text" in written || "toolCalls" in written) return builtResponse(written, context)
  if ("fault" in written) return faultResponse(written.fault)
  if ("error" in written) {
    const status = written.status ?? 500
    const body = errorBody(context.endpoint, status, { message: written.error })
    return withEnvelope(ScriptedResponse.json(status, body), written)
  }
  return resourceResponse(written)
}

/**
 * The response that a scenario describes for any other path.
 *
 * **Fails** never
 *
 * @since 0.1.0
 * @category builders
 */
export const resourceResponse = (written: ScenarioResourceResponse): ScriptedResponse => {
  if ("hangUp" in written) return withEnvelope(ScriptedResponse.hangUp(written.hangUp), written)
  if ("sse" in written) return withEnvelope(ScriptedResponse.sse(written.sse.map(eventOf)), written)
  if ("json" in written) return withEnvelope(ScriptedResponse.json(200, written.json), written)
  if ("raw" in written) return withEnvelope(ScriptedResponse.text(200, written.raw), written)
  return withEnvelope(ScriptedResponse.empty(written.status), written)
}

type Built = Extract<ScenarioResponse, { readonly text: string } | { readonly toolCalls: unknown }>
type WrittenEvent = Extract<ScenarioResponse, { readonly sse: unknown }>["sse"][number]

interface Envelope {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly ending?: ScenarioEnding
  readonly pacing?: ScenarioPacing
}

const withEnvelope = (response: ScriptedResponse, { status, headers, ending, pacing }: Envelope): ScriptedResponse => ({
  ...response,
  status: status ?? response.status,
  headers: Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]),
  ending: (typeof ending === "object" ? ending.cut : ending) ?? response.ending,
  ...(pacing === undefined ? {} : { pacing })
})

const faultResponse = (written: ScenarioFault): ScriptedResponse => {
  if (typeof written === "string") return ScriptedResponse.fault(written)
  const { name, toolArguments, ...options } = written
  return ScriptedResponse.fault(name, {
    ...options,
    ...(toolArguments === undefined ? {} : { toolArguments: jsonText(toolArguments) })
  })
}

const eventOf = (written: WrittenEvent): SseEvent => {
  if (typeof written === "string") return SseEvent.data(written)
  return { event: written.event ?? null, data: jsonText(written.data) }
}

/** A string as it is, anything else as JSON. */
const jsonText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const builtResponse = (written: Built, context: AnswerContext): ScriptedResponse => {
  const { endpoint, profile } = context
  const options = { profile, model: written.model ?? context.model }
  const { events, reply } = builders[endpoint]
  const response =
    written.stream === false
      ? ScriptedResponse.json(200, build(written, reply, options))
      : ScriptedResponse.sse(build(written, events, options))
  return withEnvelope(response, written)
}

interface BuildOptions {
  readonly profile: WireProfile
  readonly model: string
}

/** The scenarios that every API has, as events or as one reply. */
interface Builder<Out> {
  readonly text: (input: BuildOptions & { readonly text: string }) => Out
  readonly reasoningText: (input: BuildOptions & { readonly text: string; readonly reasoning: string }) => Out
  readonly calls: (input: BuildOptions & { readonly calls: ReadonlyArray<ToolCall> }) => Out
  readonly textCalls: (input: BuildOptions & { readonly text: string; readonly calls: ReadonlyArray<ToolCall> }) => Out
}

interface Builders {
  readonly events: Builder<ReadonlyArray<SseEvent>>
  readonly reply: Builder<unknown>
}

const builders: Readonly<Record<InferenceEndpoint, Builders>> = {
  ChatCompletions: { events: chat, reply: chatReply },
  Responses: { events: responses, reply: responsesReply },
  Messages: {
    events: { ...messages, reasoningText: messages.thinkingText },
    reply: { ...messagesReply, reasoningText: messagesReply.thinkingText }
  }
}

const build = <Out>(written: Built, builder: Builder<Out>, options: BuildOptions): Out => {
  if (!("toolCalls" in written)) {
    const { text, reasoning } = written
    return reasoning === undefined
      ? builder.text({ ...options, text })
      : builder.reasoningText({ ...options, text, reasoning })
  }
  const calls = written.toolCalls.map(
    (call, index): ToolCall => ({
      callId: call.id ?? `call_${index + 1}`,
      name: call.name,
      arguments: jsonText(call.arguments ?? {})
    })
  )
  return written.text === undefined
    ? builder.calls({ ...options, calls })
    : builder.textCalls({ ...options, text: written.text, calls })
}
