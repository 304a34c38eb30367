import type { WireProfile } from "../../src/domain/endpoint.ts"
import { errorBody } from "../../src/wire/errors.ts"
import { textEvents, textReply } from "../../src/wire/text-answer.ts"
import type { RequestSpec } from "./command.ts"
import { echoOf, sentRequest } from "./request.ts"
import { type KnownAnswer, stream, whole } from "./script.ts"

/** What the built-in answers depend on beside the request. */
export interface BuiltInSettings {
  readonly profile: WireProfile
  /** The text of fixed mode; `null` in echo mode. */
  readonly fixedText: string | null
  readonly stopReason: string
}

/** The answer of a response mode, or of an agent turn with its text. */
export const modeAnswer = (request: RequestSpec, settings: BuiltInSettings, turn: string | null): KnownAnswer => {
  const { profile, fixedText, stopReason } = settings
  const text = turn ?? fixedText
  const answer = {
    profile,
    split: text === null ? ("echo" as const) : ("exact" as const),
    text: text ?? echoOf(request, profile),
    model: "test-model",
    includeUsage: false,
    stopReason,
    request: JSON.parse(sentRequest(request).body)
  }
  return profile === "compact" || request.streams
    ? stream(textEvents(request.endpoint, answer), profile)
    : whole(200, "application/json", JSON.stringify(textReply(request.endpoint, answer)))
}

const missingKey = "missing API key; set the x-api-key header or Authorization: Bearer header"

/** The refusal of a request without the required key. */
export const refusedAnswer = ({ endpoint }: RequestSpec, { profile }: BuiltInSettings): KnownAnswer =>
  whole(
    401,
    "application/json",
    JSON.stringify(profile === "compact" ? { error: missingKey } : errorBody(endpoint, 401, { message: missingKey }))
  )
