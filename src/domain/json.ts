/** Nesting beyond this depth is refused, as by common servers. */
export const jsonDepthMax = 128

/** A request body that was JSON: its text as sent, and its value. */
export interface JsonBody {
  readonly text: string
  readonly value: unknown
}

/** What came of reading a body as JSON. */
export type JsonParse = { readonly ok: true; readonly body: JsonBody } | { readonly ok: false; readonly reason: string }

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Reads a request body as JSON: valid UTF-8, one value, at most 128 levels deep.
 *
 * **Fails** with a reason a person can read; never throws
 * **Source** inference-server.md, section 1.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const parseJson = (bytes: Uint8Array): JsonParse => {
  const decoded = decodeUtf8(bytes)
  if (decoded === null) return { ok: false, reason: "the body is not valid UTF-8" }
  if (isDeeperThan(decoded, jsonDepthMax)) return { ok: false, reason: `nested deeper than ${jsonDepthMax} levels` }
  try {
    return { ok: true, body: { text: decoded, value: JSON.parse(decoded) } }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : "not JSON" }
  }
}

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside strings; on text that is not JSON the answer may be wrong, and the parser refuses it anyway. */
const isDeeperThan = (text: string, levelsMax: number): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > levelsMax) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** The index of the closing quote of the string that opens at `open`, or the end of the text. */
export const endOfString = (text: string, open: number): number => {
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close === -1 ? text.length : close
}

const isEscaped = (text: string, at: number): boolean => {
  let start = at
  while (text.charCodeAt(start - 1) === backslash) start--
  return (at - start) % 2 === 1
}

/** The member `name` of a JSON object, `undefined` for anything else. Own members only. */
export const member = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** A JSON object, neither `null` nor an array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value as JSON text; `undefined` when it has none (functions, cycles, BigInt). */
export const jsonText = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** A value for an error message, short whatever it is. */
export const describe = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : shownJson(value)
  return text.length <= describedMax ? text : `${text.slice(0, describedMax)}…`
}

/** What cannot be written as JSON is a loop, nested beyond the stack, or no data at all. */
const shownJson = (value: unknown): string => {
  try {
    return jsonText(value) ?? String(value)
  } catch {
    return Array.isArray(value) ? "a list that cannot be written as JSON" : "a value that cannot be written as JSON"
  }
}

const describedMax = 80
