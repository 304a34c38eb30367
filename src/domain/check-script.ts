import { checkAnswerSize } from "./answer-size.ts"
import type { BodyPiece } from "./body-piece.ts"
import { checkEntryOptions } from "./check-fault-options.ts"
import { delayMsMax } from "./durations.ts"
import { InvalidScript } from "./errors.ts"
import { faultNames, isFaultName } from "./fault-names.ts"
import { describe, isRecord } from "./json.ts"
import { checkPacing, type Pacing } from "./pacing.ts"
import { isPlainText } from "./request.ts"
import type { FaultBody, ScriptedBody, ScriptedResponse } from "./scripted-response.ts"
import { suggestion } from "./spelling.ts"
import type { SseEvent } from "./sse-event.ts"

const endings: ReadonlyArray<unknown> = ["end", "fin", "rst", "halfClose", "stall", "vanish"]
const bodyKinds: ReadonlyArray<unknown> = ["sse", "json", "raw", "pieces", "empty", "none", "fault"]
const lineEndings: ReadonlyArray<unknown> = ["lf", "crlf", "cr"]
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Checks what a test scripted before anything is registered.
 *
 * **Gives** the response with its defaults filled in: `ending` is `end`, an event without a name has `null`
 * **Fails** with `InvalidScript`, naming the part and what is allowed
 * **Source** inference-server.md, section 4.1
 *
 * @since 0.1.0
 * @category guards
 */
export const checkScript = (response: ScriptedResponse): ScriptedResponse => {
  checkShape(response)
  const { status, headers = [], body, ending = "end" } = response
  if (!endings.includes(ending))
    throw new InvalidScript(`ending ${describe(ending)} is not known; use ${oneOf(endings)}`)
  if (!bodyKinds.includes(body?.kind)) {
    throw new InvalidScript(`body kind ${describe(body?.kind)} is not known; use ${oneOf(bodyKinds)}`)
  }
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new InvalidScript(`response status ${String(status)} is not allowed; use an integer from 100 to 999`)
  }
  for (const [name, value] of headers) checkHeader(name, value)
  if (body.kind === "json") checkJson(body.value)
  if (body.kind === "raw") checkBytes(body.bytes)
  if (body.kind === "pieces") checkPieces(body.pieces)
  if (body.kind === "sse" && body.lineEnding !== undefined && !lineEndings.includes(body.lineEnding)) {
    throw new InvalidScript(`line ending ${describe(body.lineEnding)} is not known; use ${oneOf(lineEndings)}`)
  }
  const { splitBytes, pacing, cutBytes } = response
  if (body.kind === "fault") checkFault(response, body)
  if (pacing !== undefined) checkPaced(pacing, body)
  if (splitBytes !== undefined && (!Number.isInteger(splitBytes) || splitBytes < 1)) {
    throw new InvalidScript(`splitBytes is ${describe(splitBytes)}; use a whole number from 1`)
  }
  if (body.kind === "none" && ending === "end") {
    throw new InvalidScript(
      'a response without a head cannot end cleanly; use ending "fin", "rst", "halfClose", "stall" or "vanish"'
    )
  }
  if (cutBytes !== undefined) checkCut(cutBytes, { body, ending })
  const checked = body.kind === "sse" ? { ...body, events: body.events.map(checkEvent) } : body
  return { status, headers, body: checked, ending, ...optional({ splitBytes, pacing, cutBytes }) }
}

/** What the types promise, for callers that have none. */
const checkShape = (response: unknown): void => {
  if (!isRecord(response)) {
    throw new InvalidScript(
      `the response is ${describe(response)}; use a ScriptedResponse, for example ScriptedResponse.text(200, "hello")`
    )
  }
  const { headers = [], body } = response
  if (!Array.isArray(headers) || !headers.every(Array.isArray)) {
    throw new InvalidScript(`the response headers are ${describe(headers)}; use a list of [name, value]`)
  }
  if (!isRecord(body) || body["kind"] !== "sse") return
  if (!Array.isArray(body["events"])) {
    throw new InvalidScript(`the events of a stream are ${describe(body["events"])}; use a list of { event, data }`)
  }
}

/** Only the members that are there. */
const optional = ({
  splitBytes,
  pacing,
  cutBytes
}: OptionalMembers): Pick<ScriptedResponse, "splitBytes" | "pacing" | "cutBytes"> => ({
  ...(splitBytes === undefined ? {} : { splitBytes }),
  ...(cutBytes === undefined ? {} : { cutBytes }),
  ...(pacing === undefined ? {} : { pacing: { ...pacing } })
})

interface OptionalMembers {
  readonly splitBytes: number | undefined
  readonly pacing: Pacing | undefined
  readonly cutBytes: number | undefined
}

const oneOf = (values: ReadonlyArray<unknown>): string => values.map(describe).join(", ")

/** A fault is whole: what else could be said of an answer, it says itself. */
const checkFault = (response: ScriptedResponse, { name, options }: FaultBody): void => {
  if (!isFaultName(name)) {
    throw new InvalidScript(
      `there is no fault ${describe(name)}${endingAdvice(name) ?? suggestion(String(name), faultNames)}`
    )
  }
  const { ending = "end", splitBytes, pacing, cutBytes, status } = response
  if (
    ending !== "end" ||
    splitBytes !== undefined ||
    pacing !== undefined ||
    cutBytes !== undefined ||
    status !== 200
  ) {
    throw new InvalidScript(
      `the fault ${name} says itself which status it has, how it is paced and how it ends; use its options, for example ` +
        '{ resetMode: "rst" }'
    )
  }
  try {
    checkEntryOptions(options, `the fault ${name}`)
    checkAnswerSize(name, options, `the fault ${name}: `)
  } catch (error) {
    throw new InvalidScript(error instanceof Error ? error.message : String(error))
  }
}

/** In scripts of the fault server an ending is part of the name, and here an option. */
const endingAdvice = (name: unknown): string | null => {
  const [, fault, mode] = /^(\w+):(fin|rst)$/.exec(String(name)) ?? []
  return isFaultName(fault) ? `; name ${describe(fault)} with the options { resetMode: ${describe(mode)} }` : null
}

const checkPaced = (pacing: Pacing, body: ScriptedBody): void => {
  checkPacing(pacing)
  if (body.kind === "sse") return
  if (body.kind === "pieces") {
    throw new InvalidScript("pacing does not pace pieces; each piece has its own `delayMs`")
  }
  if (pacing.tokensPerSecond !== undefined) {
    throw new InvalidScript(
      `pacing tokensPerSecond paces the events of a stream, and this body is ${body.kind}; use delayMs for a pause before its head`
    )
  }
}

const checkCut = (cutBytes: unknown, { body, ending }: Pick<ScriptedResponse, "body" | "ending">): void => {
  if (body.kind !== "json" && body.kind !== "raw") {
    throw new InvalidScript(
      `only a whole body is cut by bytes, and this one is ${body.kind}; leave events or pieces out`
    )
  }
  if (ending === "end") {
    throw new InvalidScript(
      'a body that is cut cannot end cleanly; use ending "fin", "rst", "halfClose", "stall" or "vanish"'
    )
  }
  const most = bytesOf(body) - 1
  if (typeof cutBytes === "number" && Number.isInteger(cutBytes) && cutBytes >= 0 && cutBytes <= most) return
  throw new InvalidScript(
    `the cut after ${describe(cutBytes)} bytes leaves nothing out; use a whole number from 0 to ${most}`
  )
}

const bytesOf = (body: Extract<ScriptedBody, { readonly kind: "json" | "raw" }>): number => {
  const whole = body.kind === "json" ? JSON.stringify(body.value) : body.bytes
  return typeof whole === "string" ? utf8.encode(whole).byteLength : whole.byteLength
}

const utf8 = new TextEncoder()

const checkPieces = (pieces: ReadonlyArray<BodyPiece>): void => {
  if (!Array.isArray(pieces))
    throw new InvalidScript(`the pieces are ${describe(pieces)}; use a list of { bytes, delayMs }`)
  pieces.forEach(checkPiece)
}

const checkPiece = (piece: BodyPiece): void => {
  if (!isRecord(piece)) throw new InvalidScript(`a piece is ${describe(piece)}; use { bytes, delayMs }`)
  const { bytes, delayMs = 0 } = piece
  checkBytes(bytes)
  if (typeof delayMs === "number" && delayMs >= 0 && delayMs <= delayMsMax) return
  throw new InvalidScript(`the pause before a piece is ${describe(delayMs)}; use milliseconds from 0 to ${delayMsMax}`)
}

const checkBytes = (bytes: unknown): void => {
  if (typeof bytes === "string" || bytes instanceof Uint8Array) return
  throw new InvalidScript(`the raw body is ${describe(bytes)}; use a text or a Uint8Array`)
}

const checkHeader = (name: string, value: string): void => {
  if (typeof name === "string" && name.toLowerCase() === "trailer") {
    throw new InvalidScript("response header `trailer` is not allowed: no trailers are sent after a body")
  }
  if (typeof name === "string" && name.toLowerCase() === "content-length" && !/^\d+$/.test(value)) {
    throw new InvalidScript(`response header \`content-length\` is ${describe(value)}; use a number of bytes`)
  }
  if (typeof name === "string" && name.toLowerCase() === "transfer-encoding" && value !== "chunked") {
    throw new InvalidScript(`response header \`transfer-encoding\` is ${describe(value)}; only "chunked" is sent`)
  }
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

const checkEvent = (event: SseEvent, index: number): SseEvent => {
  if (!isRecord(event)) throw new InvalidScript(`SSE event ${index} is ${describe(event)}; use { event, data }`)
  const { event: name = null, data } = event
  if (name !== null && (typeof name !== "string" || /[\r\n]/.test(name))) {
    throw new InvalidScript(`name of SSE event ${index} is ${describe(name)}; CR and LF are not allowed in it`)
  }
  if (typeof data !== "string") {
    throw new InvalidScript(
      `data of SSE event ${index} is ${describe(data)}; use a text, for example JSON.stringify(value)`
    )
  }
  if (data.includes("\r")) {
    throw new InvalidScript(`data of SSE event ${index} holds a CR, which no \`data:\` field can carry; use a raw body`)
  }
  return event.comment === undefined
    ? { event: name, data }
    : { event: name, data, comment: checkComment(event.comment) }
}

const checkComment = (comment: unknown): string => {
  if (typeof comment === "string" && !/[\r\n]/.test(comment)) return comment
  throw new InvalidScript(`the SSE comment ${describe(comment)} must be one line of text`)
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
