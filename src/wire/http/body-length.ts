import { hasNoBody } from "../../domain/status.ts"
import { headerValues, type MessageHead, type RequestStart, type ResponseStart } from "./message-head.ts"

/** How the end of a body is found. */
export type BodyLength =
  | { readonly kind: "bytes"; readonly bytes: number }
  /** `isCoded`: under the chunks there is another coding, as gzip. */
  | { readonly kind: "chunked"; readonly isCoded: boolean }
  | { readonly kind: "untilClose" }
  /** What comes is HTTP no more. */
  | { readonly kind: "tunnel" }
  | { readonly kind: "refused"; readonly message: string }

const none: BodyLength = { kind: "bytes", bytes: 0 }

/**
 * How long the body of a request is.
 *
 * **Source** RFC 9112, section 6.3
 *
 * @since 0.1.0
 * @category encoding
 */
export const requestBody = (head: MessageHead<RequestStart>): BodyLength => {
  const said = saidLength(head, "a request")
  if (said?.kind !== "untilClose") return said ?? none
  return refused("a request has a Transfer-Encoding of which the last is not chunked")
}

/**
 * How long the body of a response to a request of this method is.
 *
 * @since 0.1.0
 * @category encoding
 */
export const responseBody = (head: MessageHead<ResponseStart>, method: string): BodyLength => {
  const { status } = head.start
  if (status === 101 || (method === "CONNECT" && status >= 200 && status < 300)) return { kind: "tunnel" }
  if (method === "HEAD" || hasNoBody(status)) return none
  return saidLength(head, "a response") ?? { kind: "untilClose" }
}

/** What the head says of it; null when it says nothing. */
const saidLength = (head: MessageHead, what: string): BodyLength | null => {
  const lengths = headerValues(head, "content-length")
  const codings = headerValues(head, "transfer-encoding")
  if (codings.length > 0 && lengths.length > 0)
    return refused(`${what} has both Content-Length and Transfer-Encoding, of which programs believe different ones`)
  if (codings.length > 0) return codedLength(head, codings.join(","), what)
  const [length] = lengths
  if (length === undefined) return null
  if (lengths.length > 1) return refused(`${what} has ${lengths.length} lines of Content-Length; it needs one`)
  const bytes = /^\d+$/.test(length) ? Number(length) : Number.NaN
  if (Number.isSafeInteger(bytes)) return { kind: "bytes", bytes }
  return refused(`${what} has a Content-Length that is no decimal number of bytes`)
}

const codedLength = ({ start }: MessageHead, value: string, what: string): BodyLength => {
  if (start.version === "1.0") return refused(`${what} of HTTP/1.0 has Transfer-Encoding, which that does not know`)
  const codings = value.split(",").map((coding) => coding.trim().toLowerCase())
  const chunked = codings.indexOf("chunked")
  if (chunked < 0) return { kind: "untilClose" }
  if (chunked === codings.length - 1) return { kind: "chunked", isCoded: codings.length > 1 }
  return refused(`${what} has a Transfer-Encoding in which chunked is not the last, or stands twice`)
}

const refused = (message: string): BodyLength => ({ kind: "refused", message })
