import { InferenceRequestMatcher } from "../../src/domain/matcher.ts"
import { RequestCondition } from "../../src/domain/request-condition.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"
import { SseEvent } from "../../src/domain/sse-event.ts"
import type { CallFilter } from "../../src/inference/call-filter.ts"
import type { VirtualRequest } from "../../src/sim/virtual-http.ts"
import type { Ask, Line, Wanted } from "../model/story.ts"
import { asMatcher, bodyOf } from "../model/story-asks.ts"

export const matcherOf = (wanted: Wanted): InferenceRequestMatcher => {
  const { endpoint, kind, session, turn } = asMatcher(wanted)
  const conditions = [
    ...(session === null ? [] : [RequestCondition.session(session)]),
    ...(turn === null ? [] : [RequestCondition.turn(turn)])
  ]
  const base =
    endpoint === null
      ? InferenceRequestMatcher[kind ?? "auxiliary"]("ChatCompletions", "Responses")
      : InferenceRequestMatcher[kind ?? "auxiliary"](endpoint)
  return InferenceRequestMatcher.where(base, ...conditions)
}

export const filterOf = ({ endpoint, kind, session, turn }: Wanted): CallFilter => ({
  ...(endpoint === null ? {} : { endpoint }),
  ...(kind === null ? {} : { kind }),
  ...(session === null ? {} : { session }),
  ...(turn === null ? {} : { turn })
})

export const responseOf = ({ body, status, ending }: Line, label: string): ScriptedResponse => {
  switch (body) {
    case "events":
      return { ...ScriptedResponse.sse([SseEvent.data(`${label} a`), SseEvent.data(`${label} b`)]), status, ending }
    case "text":
      return { ...ScriptedResponse.text(status, label), ending }
    case "none":
      return ScriptedResponse.hangUp(ending === "end" ? "fin" : ending)
  }
}

/** A request as its client sends it. */
export const requestOf = (ask: Ask): VirtualRequest => ({
  method: "POST",
  target: ask.endpoint === "Responses" ? "/v1/responses" : "/v1/chat/completions",
  headers: [
    ["content-type", "application/json"],
    ...(ask.tells === "bearer" ? [["authorization", `Bearer ${ask.session}`] as const] : []),
    ...(ask.tells === "x-grok-session-id" || ask.tells === "session-id" ? [[ask.tells, ask.session] as const] : []),
    ...(ask.kind === "foreground" ? [["x-grok-turn-idx", "1"] as const] : []),
    ...(ask.id === null ? [] : [["x-grok-req-id", ask.id] as const]),
    ...(ask.key === null ? [] : [["idempotency-key", ask.key] as const])
  ],
  body: JSON.stringify(bodyOf(ask))
})
