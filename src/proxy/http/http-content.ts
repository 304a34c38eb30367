import type { FramePart } from "../../wire/frames/frame-reader.ts"
import { type HeaderLine, readMessageHead, readRequestLine, readStatusLine } from "../../wire/http/message-head.ts"
import { readEvents } from "../../wire/sse-reader.ts"
import { jsonIn } from "../framing/frame-content.ts"

/**
 * The content of a whole frame, by its kind as in `httpFrames`.
 *
 * @since 0.1.0
 * @category encoding
 */
export const httpContent = (side: "requests" | "responses", { bytes, last, isWhole }: FramePart): unknown => {
  if (!isWhole) return undefined
  if (last?.kind === "event") return eventContent(bytes)
  if (last?.kind === "body") return jsonIn(bytes)
  if (last?.kind !== "head") return undefined
  return side === "requests" ? requestContent(bytes) : responseContent(bytes)
}

const requestContent = (bytes: Uint8Array): unknown => {
  const head = readMessageHead(bytes, readRequestLine)
  if (typeof head === "string") return undefined
  const { method, url } = head.start
  return { method, url, headers: joined(head.lines) }
}

const responseContent = (bytes: Uint8Array): unknown => {
  const head = readMessageHead(bytes, readStatusLine)
  return typeof head === "string" ? undefined : { status: head.start.status, headers: joined(head.lines) }
}

const joined = (lines: ReadonlyArray<HeaderLine>): unknown => {
  const values = new Map<string, string>()
  for (const { name, value } of lines) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(values)
}

const eventContent = (bytes: Uint8Array): unknown => {
  const [event] = readEvents(new TextDecoder().decode(bytes))
  return event === undefined ? undefined : (jsonIn(new TextEncoder().encode(event.data)) ?? event)
}
