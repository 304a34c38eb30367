import { requestId } from "./classification.ts"
import { member } from "./json.ts"
import { firstHeader, type Header, plainHeader } from "./request.ts"

/**
 * Why a request is foreground or auxiliary, in words.
 *
 * **Source** inference-server.md, section 3
 *
 * @since 0.1.0
 * @category classification
 */
export const explainKind = (headers: ReadonlyArray<Header>, body: unknown): string => {
  const turn = headerWords(headers, "x-grok-turn-idx")
  if (plainHeader(headers, "x-grok-turn-idx") !== undefined) return `foreground, because ${turn}`
  if (requestId(headers) !== undefined) {
    return `auxiliary, because ${headerWords(headers, "x-grok-req-id")} and ${turn}`
  }
  const tools = member(body, "tools")
  const count = Array.isArray(tools) ? tools.length : 0
  const kind = count >= 2 ? "foreground" : "auxiliary"
  return `${kind}, because it has ${count} tools and neither x-grok-turn-idx nor x-grok-req-id is set (2 tools make a turn)`
}

const headerWords = (headers: ReadonlyArray<Header>, name: string): string => {
  if (plainHeader(headers, name) !== undefined) return `${name} is set`
  return firstHeader(headers, name) === undefined ? `${name} is absent` : `${name} is empty`
}
