import {
  InferenceEndpoint,
  InferenceRequestMatcher,
  MockInferenceServer,
  ScriptedResponse,
  SseEvent
} from "../../../src/index.ts"
import { chatReply } from "../../../src/sse.ts"
import { answerQuestions } from "../../shared/child.ts"
import { answerTexts } from "../server/exchanges.ts"

/* Our server with more and more in it. */

/** What it is told to have, or to do. */
export type GrowingQuestion =
  | { readonly start: true; readonly logEntriesMax?: number; readonly logBytesMax?: number }
  /** So many expectations for another endpoint, or for the requests that come. */
  | { readonly pending: number; readonly where: "others" | "same" }
  /** So many requests will have an expectation each. */
  | { readonly claims: number }
  /** So many streams are held before their last event. */
  | { readonly held: number }
  | { readonly letGo: true }
  /** The next stream has so many events. */
  | { readonly events: number }
  | { readonly usage: true }

export interface GrowingAnswer {
  readonly port: number
  readonly rssBytes: number
  /** Calls that are held at this moment. */
  readonly claimed: number
}

const plain = InferenceRequestMatcher.auxiliary(InferenceEndpoint.ChatCompletions)
const other = InferenceRequestMatcher.auxiliary(InferenceEndpoint.Messages)

let server: MockInferenceServer | null = null
let held: ReturnType<MockInferenceServer["expectResponse"]> | null = null
let names = 0

const started = (): MockInferenceServer => {
  if (server === null) throw new Error("it was not started")
  return server
}

const answer = (): ScriptedResponse =>
  ScriptedResponse.json(200, chatReply.text({ model: "gpt-5", text: answerTexts.completion }))

/** Events of one chunk each, and the end of the stream. */
const manyEvents = (count: number): ScriptedResponse => {
  const piece = SseEvent.data(JSON.stringify({ choices: [{ index: 0, delta: { content: "a" } }] }))
  return ScriptedResponse.sse([...Array.from({ length: count - 1 }, () => piece), SseEvent.data("[DONE]")])
}

const act = async (question: GrowingQuestion): Promise<void> => {
  if ("start" in question) {
    const { start: _, ...bounds } = question
    server = await MockInferenceServer.start(bounds)
    server.setResponse(answerTexts.completion)
  } else if ("pending" in question) {
    const matcher = question.where === "others" ? other : plain
    for (let place = 0; place < question.pending; place++)
      started().expectResponse(`pending-${++names}`, matcher, answer())
  } else if ("claims" in question) {
    for (let place = 0; place < question.claims; place++) started().expectResponse(`claim-${++names}`, plain, answer())
  } else if ("held" in question) {
    const barriers = [{ at: "terminal" }] as const
    held = started().expectResponse("held", plain, manyEvents(3), { barriers, times: question.held })
  } else if ("letGo" in question) held?.release()
  else if ("events" in question) started().expectResponse(`events-${++names}`, plain, manyEvents(question.events))
}

answerQuestions<GrowingQuestion, GrowingAnswer>(async (question) => {
  await act(question)
  return {
    port: Number(new URL(started().origin()).port),
    rssBytes: process.memoryUsage.rss(),
    claimed: held?.claims ?? 0
  }
})
