import { plainDecoder } from "../../wire/http/body-decoder.ts"
import type { BodyLength } from "../../wire/http/body-length.ts"
import { requestBody, responseBody } from "../../wire/http/body-length.ts"
import { chunkedDecoder } from "../../wire/http/chunked-body.ts"
import {
  headerValues,
  type MessageHead,
  readMessageHead,
  readRequestLine,
  readStatusLine
} from "../../wire/http/message-head.ts"
import { bodyStage } from "./body-stage.ts"
import type { Exchanges } from "./exchanges.ts"
import { forwardHead } from "./forward-head.ts"
import { type HeadOutcome, headStage } from "./head-stage.ts"
import type { HttpStage } from "./http-stage.ts"
import { tunnelStage } from "./tunnel-stage.ts"

/** What messages of one direction are read and changed by. */
export interface MessageTerms {
  readonly exchanges: Exchanges
  readonly limitBytes: number
  /** What `Host` of a request becomes; `null` where it stays. */
  readonly host: string | null
  /** Whether a rule may change how long a body is. Asked for every head. */
  readonly mayChangeLength: () => boolean
}

/**
 * Requests, one behind the other.
 *
 * @since 0.1.0
 * @category constructors
 */
export const requestStage = (terms: MessageTerms): HttpStage => {
  const read = (block: Uint8Array): HeadOutcome => {
    const head = readMessageHead(block, readRequestLine)
    if (typeof head === "string") return { problem: head }
    const { method, version } = head.start
    const isTunnelWanted = method === "CONNECT" || headerValues(head, "upgrade").length > 0
    if (!terms.exchanges.asked({ method, version, isTunnelWanted }))
      return { problem: "too many requests wait for their answers" }
    return withBody(head, requestBody(head), {
      ...terms,
      isChunkedKnown: version === "1.1",
      following: () => requestStage(terms)
    })
  }
  return headStage({ what: "a request", checkFirst: problemIn(readRequestLine), read })
}

/**
 * Responses, one behind the other.
 *
 * @since 0.1.0
 * @category constructors
 */
export const responseStage = (terms: MessageTerms): HttpStage => {
  const { exchanges } = terms
  const read = (block: Uint8Array): HeadOutcome => {
    const head = readMessageHead(block, readStatusLine)
    if (typeof head === "string") return { problem: head }
    const { status, version } = head.start
    const asked = exchanges.oldest()
    const length = responseBody(head, asked.method)
    if (status >= 200 || status === 101) exchanges.answered({ isTunnel: length.kind === "tunnel" })
    const isChunkedKnown = version === "1.1" && asked.version === "1.1"
    return withBody(head, length, { ...terms, isChunkedKnown, following: () => responseStage(terms) })
  }
  return headStage({ what: "a response", checkFirst: problemIn(readStatusLine), read })
}

const problemIn =
  (read: (line: string) => unknown) =>
  (line: string): string | null => {
    const start = read(line)
    return typeof start === "string" ? start : null
  }

const withBody = (
  head: MessageHead,
  length: BodyLength,
  terms: MessageTerms & { readonly isChunkedKnown: boolean; readonly following: () => HttpStage }
): HeadOutcome => {
  const { host, limitBytes, following } = terms
  if (length.kind === "refused") return { problem: length.message }
  const hasBody = length.kind !== "bytes" || length.bytes > 0
  const isRechunked = length.kind === "bytes" && hasBody && terms.isChunkedKnown && terms.mayChangeLength()
  const bytes = forwardHead(head, { isRechunked, host })
  if (length.kind === "tunnel") return { bytes, following: tunnelStage(new Uint8Array()) }
  if (!hasBody) return { bytes, following: following() }
  const totalBytes = length.kind === "bytes" ? length.bytes : null
  const isPacked = (length.kind === "chunked" && length.isCoded) || contentCodings(head).length > 0
  const body = bodyStage({
    decoder: length.kind === "chunked" ? chunkedDecoder() : plainDecoder(totalBytes),
    totalBytes,
    hasEvents: !isPacked && isEventStream(head),
    isChunked: isRechunked || length.kind === "chunked",
    limitBytes,
    following
  })
  return { bytes, following: body }
}

const isEventStream = (head: MessageHead): boolean =>
  headerValues(head, "content-type").some((value) => /^text\/event-stream[ \t]*(?:;|$)/i.test(value))

const contentCodings = (head: MessageHead): ReadonlyArray<string> =>
  headerValues(head, "content-encoding").filter((value) => !/^(?:identity)?$/i.test(value))
