import { InvalidScript } from "./errors.ts"
import { isPlainText } from "./request.ts"
import type { ScriptedResponse } from "./scripted-response.ts"
import type { SseEvent } from "./sse-event.ts"

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Checks what a test scripted before anything is registered.
 *
 * **Fails** with `InvalidScript`, naming the part and what is allowed
 * **Source** inference-server.md, section 4.1
 *
 * @since 0.1.0
 * @category guards
 */
export const checkScript = (response: ScriptedResponse): void => {
  const { status, headers, body, ending } = response
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new InvalidScript(`response status ${String(status)} is not allowed; use an integer from 100 to 999`)
  }
  for (const [name, value] of headers) checkHeader(name, value)
  if (body.kind === "sse") body.events.forEach(checkEvent)
  if (body.kind === "json") checkJson(body.value)
  if (body.kind === "none" && ending === "end") {
    throw new InvalidScript(
      'a response without a head cannot end cleanly; use ending "fin", "rst", "halfClose" or "stall"'
    )
  }
}

const checkHeader = (name: string, value: string): void => {
  if (!token.test(name)) {
    throw new InvalidScript(
      `response header name ${JSON.stringify(name)} is not an HTTP token; use letters, digits and -`
    )
  }
  if (!isPlainText(value)) {
    throw new InvalidScript(
      `value of response header \`${name}\` is ${JSON.stringify(value)}; only visible ASCII, spaces and tabs are allowed`
    )
  }
}

const checkEvent = (event: SseEvent, index: number): void => {
  if (event.event !== null && /[\r\n]/.test(event.event)) {
    throw new InvalidScript(
      `name of SSE event ${index} is ${JSON.stringify(event.event)}; CR and LF are not allowed in it`
    )
  }
  if (event.data.includes("\r")) {
    throw new InvalidScript(`data of SSE event ${index} holds a CR, which no \`data:\` field can carry; use a raw body`)
  }
}

const checkJson = (value: unknown): void => {
  try {
    if (JSON.stringify(value) !== undefined) return
  } catch (error) {
    throw new InvalidScript(
      `the JSON body cannot be written: ${error instanceof Error ? error.message : String(error)}`
    )
  }
  throw new InvalidScript("the JSON body is `undefined` or a function; give a JSON value, for example null")
}
