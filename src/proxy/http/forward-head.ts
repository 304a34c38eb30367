import { changedLine, type HeaderLine, headBytes, type MessageHead } from "../../wire/http/message-head.ts"

/** What is changed of a head on its way. */
export interface HeadChanges {
  /** Whether its body of a known length goes on in chunks. */
  readonly isRechunked: boolean
  /** Of a request: what stands in `Host`; `null` for what was there. */
  readonly host: string | null
}

/**
 * The bytes of a head as they go on. Of a request `Accept-Encoding` becomes `identity`, as events cannot be seen in a body that is
 * packed; where there is none, none is added, since servers do not pack what nobody asks for. All other lines stay as they are.
 *
 * @since 0.1.0
 * @category encoding
 */
export const forwardHead = (head: MessageHead, { isRechunked, host }: HeadChanges): Uint8Array => {
  const isRequest = head.start.kind === "request"
  let encodings = 0
  const forwarded = (line: HeaderLine): ReadonlyArray<HeaderLine> => {
    if (isRequest && line.name === "accept-encoding") {
      encodings++
      return encodings === 1 ? [changedLine(line, { value: "identity" })] : []
    }
    if (isRequest && line.name === "host" && host !== null) return [changedLine(line, { value: host })]
    if (isRechunked && line.name === "content-length")
      return [changedLine(line, { name: "transfer-encoding", value: "chunked" })]
    return [line]
  }
  return headBytes({ ...head, lines: head.lines.flatMap(forwarded) })
}
