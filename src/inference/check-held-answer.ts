import { InvalidOption, InvalidScript } from "../domain/errors.ts"
import { describe, isRecord } from "../domain/json.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import { suggestion } from "../domain/spelling.ts"
import type { SseEvent } from "../domain/sse-event.ts"
import type { HeldStreamOptions } from "./held-call.ts"

/**
 * Checks what a test says to a call in its hand, as far as the checks of scripts take it for granted.
 *
 * **Fails** with `InvalidScript` for a response, with `InvalidOption` for what is no script
 *
 * @since 0.1.0
 * @category guards
 */
export const checkedReply = (response: ScriptedResponse): ScriptedResponse => {
  if (!isRecord(response)) {
    throw new InvalidScript(`reply(response): the response is ${describe(response)}; use a ScriptedResponse`)
  }
  const { status, headers } = response
  checkFinal(status)
  if (headers !== undefined) checkHeaders("reply(response)", headers)
  return response
}

/** Informational statuses announce an answer and are none: a client would wait on. */
const checkFinal = (status: unknown): void => {
  if (typeof status !== "number" || status < 100 || status >= finalMin) return
  throw new InvalidScript(`status ${status} is not the end of a request; use a status from ${finalMin}`)
}

const finalMin = 200

/** Checks the head of a stream. */
export const checkedHead = (options: HeldStreamOptions): HeldStreamOptions => {
  if (!isRecord(options)) {
    throw new InvalidOption(
      `stream(options): the options are ${describe(options)}; use { status, headers }, or nothing`
    )
  }
  for (const name of Object.keys(options)) {
    if (headMembers.includes(name)) continue
    throw new InvalidOption(
      `stream(options): the options are ${headMembers.join(", ")}, and no ${name}${suggestion(name, headMembers)}`
    )
  }
  const { status, headers } = options
  checkFinal(status)
  if (headers !== undefined) checkHeaders("stream(options)", headers)
  return options
}

const headMembers = ["status", "headers"]

const checkHeaders = (words: string, headers: unknown): void => {
  if (Array.isArray(headers) && headers.every(isPair)) return
  throw new InvalidScript(`${words}: the headers are ${describe(headers)}; use a list of [name, value], both texts`)
}

const isPair = (header: unknown): boolean =>
  Array.isArray(header) && header.length === 2 && header.every((part) => typeof part === "string")

/** Checks what the types promise, for callers that have none. */
export const checkedText = (words: string, text: string): string => {
  if (typeof text === "string") return text
  throw new InvalidOption(
    `${words}: the ${words.includes("message") ? "message" : "text"} is ${describe(text)}; use a text`
  )
}

/** Checks the status of a failure. */
export const checkedFailure = (status: number): number => {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  throw new InvalidOption(`fail(${String(status)}): use a status from 400 to 599, or reply() for others`)
}

/** What is written to a stream, as an event. */
export const checkedEvent = (event: SseEvent | string): SseEvent => {
  if (typeof event === "string") return { event: null, data: event }
  if (isRecord(event)) return event
  throw new InvalidScript(`write(event): the event is ${describe(event)}; use an SseEvent, or a text for its data`)
}
