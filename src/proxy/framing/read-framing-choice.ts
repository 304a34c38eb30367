import { InvalidOption } from "../../domain/errors.ts"
import {
  openObject,
  orElse,
  type Read,
  readFlag,
  readInteger,
  readOneOf,
  readWhole,
  refuse
} from "../../domain/field-readers.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { frameBodyBytesMax } from "../../wire/frames/length-prefixed.ts"

/** A framing with every option that it has. */
export type FramingOptions =
  | {
      readonly type: "lengthPrefixed"
      readonly prefixBytes: 1 | 2 | 4 | 8
      readonly endian: "big" | "little"
      readonly includesPrefix: boolean
      readonly limitBytes: number
    }
  | { readonly type: "ndjson" | "contentLength" | "http"; readonly limitBytes: number }
  | { readonly type: "webSocket"; readonly counts: "frames" | "messages"; readonly limitBytes: number }
  | { readonly type: "opaque" }

/** Nobody wants more memory taken for one frame. */
const limitBytesMax = 1_073_741_824

/**
 * Reads which framing is wanted: a name, or an object with its name as `type` and options.
 *
 * **Takes** plain data, as JSON holds it; nothing and `null` are `lengthPrefixed`
 * **Fails** with `InvalidOption`, which names the place
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category guards
 */
export const readFramingChoice = (source?: unknown): FramingOptions => readChoice(source)

const readChoice = readWhole(
  (source: unknown) => readOptions(isRecord(source) ? source : { type: readType(source ?? "lengthPrefixed", "") }),
  "framing",
  (message) => new InvalidOption(message)
)

const readType = readOneOf(["lengthPrefixed", "ndjson", "contentLength", "webSocket", "opaque", "http"])
const readLimit = orElse(readInteger({ least: 0, most: limitBytesMax }), frameBodyBytesMax)

const readPrefixBytes: Read<1 | 2 | 4 | 8> = (value, at) =>
  value === 1 || value === 2 || value === 4 || value === 8
    ? value
    : refuse(at, `is ${describe(value)}; use one of 1, 2, 4, 8`)

const readOptions = (source: unknown): FramingOptions => {
  const known = openObject(source, "", ["type", "prefixBytes", "endian", "includesPrefix", "counts", "limitBytes"])
  const type = known("type", readType)
  if (type === "opaque") {
    openObject(source, "", ["type"])
    return { type }
  }
  if (type === "lengthPrefixed") {
    const field = openObject(source, "", ["type", "prefixBytes", "endian", "includesPrefix", "limitBytes"])
    return {
      type,
      prefixBytes: field("prefixBytes", orElse(readPrefixBytes, 4)),
      endian: field("endian", orElse(readOneOf(["big", "little"]), "big")),
      includesPrefix: field("includesPrefix", orElse(readFlag, false)),
      limitBytes: field("limitBytes", readLimit)
    }
  }
  if (type === "webSocket") {
    const field = openObject(source, "", ["type", "counts", "limitBytes"])
    return {
      type,
      counts: field("counts", orElse(readOneOf(["frames", "messages"]), "frames")),
      limitBytes: field("limitBytes", readLimit)
    }
  }
  const field = openObject(source, "", ["type", "limitBytes"])
  return { type, limitBytes: field("limitBytes", readLimit) }
}
