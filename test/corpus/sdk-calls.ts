import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import type { CallFacts, WatchedClient } from "./watch-client.ts"

/** What a call of an SDK is made with. */
export interface SdkCall {
  readonly client: WatchedClient
  /** `http://host:port`. */
  readonly origin: string
  readonly prompt: string
  readonly told: CallFacts
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** In the place of the fetch of the client. */
  readonly fetch?: typeof fetch
}

/** One way to ask a model by an SDK that is as its makers published it. */
export type AskModel = (call: SdkCall) => Promise<void>

/** How clients of the corpus are made. */
export const patience = { timeout: 10_000, maxRetries: 2, logLevel: "off" } as const

const maxTokens = 64

const openaiOf = ({ client, origin, fetch, headers }: SdkCall): OpenAI =>
  new OpenAI({
    apiKey: "any",
    baseURL: `${origin}/v1`,
    fetch: fetch ?? client.fetch,
    ...patience,
    ...(headers === undefined ? {} : { defaultHeaders: headers })
  })

const anthropicOf = ({ client, origin, fetch, headers }: SdkCall): Anthropic =>
  new Anthropic({
    apiKey: "any",
    baseURL: origin,
    fetch: fetch ?? client.fetch,
    ...patience,
    ...(headers === undefined ? {} : { defaultHeaders: headers })
  })

const until = ({ signal }: SdkCall): { readonly signal?: AbortSignal } => (signal === undefined ? {} : { signal })

const said = ({ prompt }: SdkCall) => ({
  model: "m",
  messages: [{ role: "user" as const, content: prompt }]
})

/** openai, chunk by chunk. */
export const openaiStream: AskModel = async (call) => {
  for await (const [text, isTerminal] of openaiChunks(call)) call.told.event(text, isTerminal)
}

/** openai, chunk by chunk, until the model says that it has finished. */
export const openaiUntilFinish: AskModel = async (call) => {
  for await (const [text, isTerminal] of openaiChunks(call)) {
    call.told.event(text, isTerminal)
    if (isTerminal) return
  }
}

/** Pieces of an answer, and whether each is the last. */
async function* openaiChunks(call: SdkCall): AsyncGenerator<readonly [text: string, isTerminal: boolean]> {
  const stream = await openaiOf(call).chat.completions.create({ ...said(call), stream: true }, until(call))
  for await (const { choices } of stream) {
    // A chunk without choices tells what the answer cost.
    const [first] = choices
    if (first !== undefined) yield [first.delta.content ?? "", first.finish_reason !== null]
  }
}

/** openai, the whole answer put together by the SDK. */
export const openaiFinal: AskModel = async (call) => {
  const stream = openaiOf(call).chat.completions.stream(said(call), until(call))
  stream.on("chunk", ({ choices: [first] }) => {
    if (first !== undefined) call.told.event(first.delta.content ?? "", first.finish_reason !== null)
  })
  await stream.finalChatCompletion()
}

/** openai, no stream. */
export const openaiWhole: AskModel = async (call) => {
  await openaiOf(call).chat.completions.create(said(call), until(call))
}

/** Anthropic, event by event. */
export const anthropicStream: AskModel = async (call) => {
  for await (const [text, isTerminal] of anthropicEvents(call)) call.told.event(text, isTerminal)
}

/** Anthropic, event by event, until the message has stopped. */
export const anthropicUntilStop: AskModel = async (call) => {
  for await (const [text, isTerminal] of anthropicEvents(call)) {
    call.told.event(text, isTerminal)
    if (isTerminal) return
  }
}

async function* anthropicEvents(call: SdkCall): AsyncGenerator<readonly [text: string, isTerminal: boolean]> {
  const stream = await anthropicOf(call).messages.create(
    { ...said(call), max_tokens: maxTokens, stream: true },
    until(call)
  )
  for await (const { type } of stream) yield [type, type === "message_stop"]
}

/** Anthropic, the whole message put together by the SDK. */
export const anthropicFinal: AskModel = async (call) => {
  const stream = anthropicOf(call).messages.stream({ ...said(call), max_tokens: maxTokens }, until(call))
  stream.on("streamEvent", ({ type }) => call.told.event(type, type === "message_stop"))
  await stream.finalMessage()
}

/** Anthropic, no stream. */
export const anthropicWhole: AskModel = async (call) => {
  await anthropicOf(call).messages.create({ ...said(call), max_tokens: maxTokens }, until(call))
}

/** The same, given up after so much silence between two pieces of an answer, as an application can do it. */
export const givenUpAfter =
  (silenceMs: number, ask: AskModel): AskModel =>
  async (call) => {
    const controller = new AbortController()
    const giveUp = (): void => controller.abort()
    let timer: NodeJS.Timeout | undefined
    const told: CallFacts = {
      ...call.told,
      event(text, isTerminal) {
        heard()
        call.told.event(text, isTerminal)
      }
    }
    const heard = (): void => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, silenceMs)
    }
    const fetch: typeof globalThis.fetch = async (input, init) => {
      clearTimeout(timer)
      const response = await call.client.fetch(input, init)
      heard()
      return response
    }
    try {
      await ask({ ...call, told, fetch, signal: controller.signal })
    } finally {
      clearTimeout(timer)
    }
  }
