import fc from "fast-check"

const key = fc.constantFrom("id", "method", "jsonrpc", "params", "result", "error", "code", "message", "i\\u0064", "x")
const text = fc.string({ unit: "grapheme", maxLength: 8 })

/** An id as JSON text, in forms that parsing would not keep. */
export const idTokens = fc.oneof(
  fc.constantFrom("null", "1e2", "-0", "0", "9007199254740993", '"\\u0041"', '"7"', '"a"', "1.50", "true", "[1, 2]"),
  fc.json({ maxDepth: 1 })
)

const jsonText = fc.oneof(
  idTokens,
  fc.json({ maxDepth: 2 }),
  text.map((value) => JSON.stringify(value))
)
const space = fc.constantFrom("", " ", "\t", "  ")

/** Objects as text: keys of the protocol in any order, also twice, values of any kind, blanks between. */
export const objectTexts = fc
  .array(fc.tuple(key, jsonText, space), { maxLength: 6 })
  .map(
    (members) =>
      `{${members.map(([name, value, blank]) => `${blank}"${name}"${blank}:${blank}${value}${blank}`).join(",")}}`
  )

/** Lines as agents write them, and as they should not. */
export const agentLines = fc.oneof(
  { weight: 4, arbitrary: objectTexts },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 1, arbitrary: text.map((value) => value.replaceAll("\n", "")) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\t", "npm warn foo", "[]", "[{}]", "{", "7") }
)

/** Bytes cut somewhere, also inside of a character; `cuts` are shares of the whole. */
export const cutAt = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const places = [...new Set([0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length])].sort(
    (a, b) => a - b
  )
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

/** Where bytes are cut. */
export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

/** Bytes of any kind, with many ends of lines among them. */
export const lineBytes = fc
  .array(fc.oneof(fc.constantFrom(0x0a, 0x0d), fc.constant(0xc3), fc.nat({ max: 255 })), { maxLength: 40 })
  .map((bytes) => Uint8Array.from(bytes))

/** Lines that are responses to "a" or "7", or miss it by one thing. */
export const nearResponses = fc
  .record({
    id: fc.constantFrom('"a"', '"A"', '"7"', "7", '"\\u0061"', "null"),
    method: fc.constantFrom("", ',"method":null', ',"method":"m"', ',"methods":1'),
    result: fc.constantFrom("", ',"result":1', ',"error":{}')
  })
  .map(({ id, method, result }) => `{"id":${id}${method}${result}}`)
