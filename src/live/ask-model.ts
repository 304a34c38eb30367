import { member } from "../domain/json.ts"
import type { AnswerSink, AskModel, ChatMessage } from "../ports/agent-surroundings.ts"
import { eventReader } from "../wire/sse-reader.ts"

/** A model, and how it is reached. */
interface ModelAsked {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Asks a model over Chat Completions, streamed; one piece of text an event. Tries once.
 *
 * **Takes** the base URL, as in `http://127.0.0.1:8080/v1`; `fetch`, where it is not that of this process
 *
 * @since 0.1.0
 * @category layers
 */
export const askModelOver =
  (options: ModelAsked): AskModel =>
  (messages, sink) => {
    const abort = new AbortController()
    const heard = whileWanted(sink, abort.signal)
    ask(messages, { ...options, signal: abort.signal, sink: heard }).then(heard.done, (error: unknown) =>
      heard.failed(`the model was not reached: ${reasonOf(error)}`)
    )
    return () => abort.abort()
  }

const ask = async (
  messages: ReadonlyArray<ChatMessage>,
  options: ModelAsked & { readonly signal: AbortSignal; readonly sink: AnswerSink }
): Promise<void> => {
  const { baseUrl, apiKey, model, signal, sink, fetch = globalThis.fetch } = options
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model,
      stream: true,
      messages: messages.map(({ role, text }) => ({ role, content: text }))
    }),
    signal
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    sink.failed(`the model answered with HTTP ${response.status}`)
    return
  }
  const events = eventReader()
  const decoder = new TextDecoder()
  let isComplete = false
  for await (const bytes of response.body) {
    for (const { data } of events.push(decoder.decode(bytes, { stream: true }))) {
      if (data === "[DONE]") isComplete = true
      else hear(JSON.parse(data), sink)
    }
  }
  if (!isComplete) sink.failed("the answer of the model ended before [DONE]")
}

const hear = (chunk: unknown, sink: AnswerSink): void => {
  const choices = member(chunk, "choices")
  const text = Array.isArray(choices) ? member(member(choices[0], "delta"), "content") : undefined
  if (typeof text === "string" && text !== "") sink.text(text)
}

/** A sink that hears nothing more once it was done or failed, or nobody wants the answer. */
const whileWanted = (sink: AnswerSink, signal: AbortSignal): AnswerSink => {
  let isOver = false
  const last = (tell: () => void): void => {
    if (!isOver && !signal.aborted) tell()
    isOver = true
  }
  return {
    text(piece) {
      if (!isOver && !signal.aborted) sink.text(piece)
    },
    done: () => last(sink.done),
    failed: (reason) => last(() => sink.failed(reason))
  }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
