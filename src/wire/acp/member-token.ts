import { endOfString } from "../../domain/json.ts"

/**
 * The value of a member of a JSON object as it was written: `1e2`, `9007199254740993` and `"\u0041"` stay what they are, which
 * parsing would not let them. Where a name stands twice, the last one counts, as it does for a parser.
 *
 * **Takes** text that parses as a JSON object
 * **Gives** `null` when the object has no such member
 *
 * @since 0.1.0
 * @category encoding
 */
export const memberToken = (json: string, name: string): string | null => {
  const span = memberSpan(json, name)
  return span === null ? null : json.slice(span.from, span.end)
}

/**
 * A JSON object with another value of a member, and all else as it was written.
 *
 * **Takes** text that parses as a JSON object, and the JSON text of the value
 * **Gives** the same text when the object has no such member
 *
 * @since 0.1.0
 * @category encoding
 */
export const withMemberToken = (json: string, name: string, token: string): string => {
  const span = memberSpan(json, name)
  return span === null ? json : json.slice(0, span.from) + token + json.slice(span.end)
}

interface Span {
  readonly from: number
  readonly end: number
}

/** Where the value of a member stands, the last one where a name stands twice. */
const memberSpan = (json: string, name: string): Span | null => {
  let found: Span | null = null
  let at = afterBlank(json, json.indexOf("{") + 1)
  while (at < json.length && json[at] !== "}") {
    const keyEnd = endOfString(json, at) + 1
    const from = afterBlank(json, afterBlank(json, keyEnd) + 1)
    const end = endOfValue(json, from)
    if (JSON.parse(json.slice(at, keyEnd)) === name) found = { from, end }
    at = afterBlank(json, end)
    if (json[at] === ",") at = afterBlank(json, at + 1)
  }
  return found
}

const afterBlank = (json: string, from: number): number => {
  let at = from
  while (" \t\r\n".includes(json[at] ?? ".")) at++
  return at
}

const endOfValue = (json: string, from: number): number => {
  if (json[from] === '"') return endOfString(json, from) + 1
  let depth = 0
  let at = from
  for (; at < json.length; at++) {
    const char = json[at] ?? ""
    if (char === '"') at = endOfString(json, at)
    else if (char === "{" || char === "[") depth++
    else if (depth > 0 && (char === "}" || char === "]")) {
      if (--depth === 0) return at + 1
    } else if (depth === 0 && ",}] \t\r\n".includes(char)) return at
  }
  return at
}
