import { member } from "../domain/json.ts"

/**
 * The text of the last user message of a body of any of the three APIs: its text parts, joined by line breaks. Messages
 * that only carry tool results are no user messages.
 *
 * **Gives** `undefined` when there is none, or it holds no text
 *
 * @since 0.1.0
 * @category encoding
 */
export const lastUserText = (body: unknown): string | undefined => {
  const input = member(body, "input")
  if (typeof input === "string") return input
  const items = Array.isArray(input) ? input : member(body, "messages")
  if (!Array.isArray(items)) return undefined
  return textOf(items.map(userContent).findLast((content) => content !== undefined))
}

const userContent = (item: unknown): unknown => {
  if (member(item, "role") !== "user") return undefined
  const content = member(item, "content")
  return Array.isArray(content) && content.every(isToolResult) ? undefined : content
}

const isToolResult = (part: unknown): boolean => member(part, "type") === "tool_result"

const textOf = (content: unknown): string | undefined => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part) => member(part, "text")).filter((text) => typeof text === "string")
  return texts.length === 0 ? undefined : texts.join("\n")
}
