import type { Ask, Wanted } from "./story.ts"

/** The body of a request: its words once for each turn. */
export const bodyOf = ({ endpoint, tells, session, turn, words }: Ask): Readonly<Record<string, unknown>> => {
  const messages = Array.from({ length: turn }, () => ({ role: "user", content: `words ${words}` }))
  return {
    ...(tells === "prompt_cache_key" ? { prompt_cache_key: session } : {}),
    ...(endpoint === "Responses" ? { input: messages } : { messages })
  }
}

/** The session by the model's own account; those without a name differ from all that have one. */
export const sessionOf = ({ tells, session, words }: Ask): string => {
  if (tells === "words") return `words ${words}`
  return tells === "bearer" ? `bearer ${session}` : session
}

/** Equal for two requests that are tries of one call. */
export const callOf = (ask: Ask): string => {
  const { endpoint, kind, id, key } = ask
  return JSON.stringify([sessionOf(ask), key === null ? { endpoint, kind, id, body: bodyOf(ask) } : { key }])
}

/** Equal for two requests of which the second, while the first is being answered, is a copy of it. */
export const sameness = (ask: Ask): string | null =>
  ask.id === null ? null : JSON.stringify([ask.endpoint, ask.kind, ask.id, bodyOf(ask)])

/** Whether a filter takes a request. */
export const isWanted = (wanted: Wanted, ask: Ask): boolean =>
  (wanted.endpoint ?? ask.endpoint) === ask.endpoint &&
  (wanted.kind ?? ask.kind) === ask.kind &&
  (wanted.session ?? sessionOf(ask)) === sessionOf(ask) &&
  (wanted.turn ?? ask.turn) === ask.turn

/** Scripts are for one kind. */
export const asMatcher = (wanted: Wanted): Wanted => ({ ...wanted, kind: wanted.kind ?? "auxiliary" })
