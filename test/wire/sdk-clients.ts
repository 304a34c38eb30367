import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import { encodeEvents } from "../../src/wire/sse-frame.ts"

/** A `fetch` that answers every call with these events. */
const fetchOf = (events: ReadonlyArray<SseEvent>) => async (): Promise<Response> =>
  new Response(encodeEvents(events), { headers: { "content-type": "text/event-stream; charset=utf-8" } })

/** A `fetch` that answers every call with this JSON value. */
const fetchOfJson = (body: unknown) => async (): Promise<Response> => Response.json(body)

const openAiOptions = { apiKey: "k", baseURL: "http://understudy.test/v1", maxRetries: 0 }
const anthropicOptions = { apiKey: "k", baseURL: "http://understudy.test", maxRetries: 0 }

/** The official clients, in front of a scripted answer. */
export const openAi = (events: ReadonlyArray<SseEvent>) => new OpenAI({ ...openAiOptions, fetch: fetchOf(events) })
export const openAiJson = (body: unknown) => new OpenAI({ ...openAiOptions, fetch: fetchOfJson(body) })
export const anthropic = (events: ReadonlyArray<SseEvent>) =>
  new Anthropic({ ...anthropicOptions, fetch: fetchOf(events) })
export const anthropicJson = (body: unknown) => new Anthropic({ ...anthropicOptions, fetch: fetchOfJson(body) })

/** All items of an asynchronous iteration. */
export const drained = async <T>(items: AsyncIterable<T>): Promise<ReadonlyArray<T>> => {
  const all: Array<T> = []
  for await (const item of items) all.push(item)
  return all
}
