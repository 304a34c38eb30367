import { endOfString } from "./json.ts"

/**
 * The canonical spelling of a JSON text: no white space, keys sorted, the last of equal keys, strings and numbers in one
 * spelling. Numbers are compared as decimals and not as doubles, so integers beyond 2^53 stay apart and `1`, `1.0` and
 * `1e0` are one.
 *
 * **Takes** text that `parseJson` accepted (valid, at most 128 levels)
 * **Source** inference-server.md, section 5
 *
 * @since 0.1.0
 * @category fingerprints
 */
export const canonicalJson = (text: string): string => readValue({ text, at: 0 })

/** Where the reader is; the text is known to be valid. */
interface Cursor {
  readonly text: string
  at: number
}

const readValue = (cursor: Cursor): string => {
  const first = peek(cursor)
  if (first === "{") return readObject(cursor)
  if (first === "[") return readArray(cursor)
  if (first === '"') return JSON.stringify(readString(cursor))
  return readScalar(cursor)
}

const readObject = (cursor: Cursor): string => {
  cursor.at++
  const members = new Map<string, string>()
  while (peek(cursor) !== "}") {
    const key = readString(cursor)
    expectMark(cursor)
    members.set(key, readValue(cursor))
    if (peek(cursor) === ",") cursor.at++
  }
  cursor.at++
  const keys = [...members.keys()].sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${members.get(key)}`).join(",")}}`
}

const readArray = (cursor: Cursor): string => {
  cursor.at++
  const items: Array<string> = []
  while (peek(cursor) !== "]") {
    items.push(readValue(cursor))
    if (peek(cursor) === ",") cursor.at++
  }
  cursor.at++
  return `[${items.join(",")}]`
}

const readString = (cursor: Cursor): string => {
  peek(cursor)
  const open = cursor.at
  const close = endOfString(cursor.text, open)
  cursor.at = close + 1
  return JSON.parse(cursor.text.slice(open, close + 1))
}

const scalar = /[^\s,\]}]+/y

const readScalar = (cursor: Cursor): string => {
  scalar.lastIndex = cursor.at
  const token = scalar.exec(cursor.text)?.[0] ?? ""
  cursor.at += token.length
  return /^[-\d]/.test(token) ? canonicalNumber(token) : token
}

/** Steps over the colon between key and value. */
const expectMark = (cursor: Cursor): void => {
  peek(cursor)
  cursor.at++
}

/** The next character that is not white space; the cursor stands on it. */
const peek = (cursor: Cursor): string => {
  let code = cursor.text.charCodeAt(cursor.at)
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = cursor.text.charCodeAt(++cursor.at)
  return cursor.text.charAt(cursor.at)
}

const exponentDigitsMax = 1_000

/** `-120.50e3` as `-1205e2`: sign, digits without zeros at either end, power of ten. Absurd exponents stay as they are. */
const canonicalNumber = (token: string): string => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? []
  if (exponent.length > exponentDigitsMax) return token
  const all = `${whole}${fraction}`
  const start = firstNonZero(all)
  if (start === all.length) return "0"
  const end = afterLastNonZero(all)
  const power = BigInt(exponent.replace("+", "")) - BigInt(fraction.length) + BigInt(all.length - end)
  return `${sign}${all.slice(start, end)}e${power}`
}

const firstNonZero = (digits: string): number => {
  let at = 0
  while (digits.charCodeAt(at) === 0x30) at++
  return at
}

const afterLastNonZero = (digits: string): number => {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end--
  return end
}
