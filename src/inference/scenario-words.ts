import { allTellingKeys } from "./scenario-forms.ts"
import type { JsonType, SchemaNode } from "./scenario-schema-node.ts"

/** Longer values are cut in messages. */
const shownLengthMax = 60

/** Of more words than this only some are listed, where that is enough. */
export const listedMax = 12

/** The JSON type of a value; `null` and what is no JSON have a word of their own. */
export const typeOf = (value: unknown): JsonType | "null" => {
  if (value === null || value === undefined) return "null"
  if (Array.isArray(value)) return "array"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  if (typeof value === "string" || typeof value === "boolean") return typeof value === "string" ? "string" : "boolean"
  return "object"
}

const typeWords: Readonly<Record<JsonType, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping"
}

/** A value in a message; secrets are not shown. */
export const describeValue = (schema: SchemaNode, value: unknown): string => {
  if (schema.writeOnly === true) return "the value"
  switch (typeOf(value)) {
    case "null":
      return "an empty value (null)"
    case "array":
      return "a list"
    case "object":
      return "a mapping"
    default: {
      const text = JSON.stringify(value) ?? String(value)
      return text.length <= shownLengthMax ? text : `${text.slice(0, shownLengthMax)}...`
    }
  }
}

/** What a schema asks for, as the end of "give ...". */
export const describeSchema = (schema: SchemaNode): string => {
  const { oneOf, enum: allowed, type, required = [], minimum, maximum, $ref } = schema
  if (oneOf !== undefined) return describeForms(oneOf)
  if (allowed !== undefined) return describeWords(allowed)
  if (type === undefined) return $ref === undefined ? "any JSON value" : "a value"
  const types = typeof type === "string" ? [type] : type
  const words = types.map((each) => typeWords[each]).join(" or ")
  if (required.length > 0) return `${words} with ${list(required, "and")}`
  if (minimum === undefined) return words
  return maximum === undefined ? `${words} from ${minimum}` : `${words} from ${minimum} to ${maximum}`
}

const describeWords = (words: ReadonlyArray<string>): string => {
  if (words.length > listedMax) return `one of ${list(words.slice(0, 3))} and ${words.length - 3} others`
  return words.length === 1 ? list(words) : `one of ${list(words)}`
}

/** Mappings are named together by the keys that tell them apart. */
const describeForms = (forms: ReadonlyArray<SchemaNode>): string => {
  const mappings = forms.filter((form) => form.type === "object")
  const others = forms.filter((form) => form.type !== "object").map(describeSchema)
  const keys = allTellingKeys(mappings)
  return [...others, ...(keys.length === 0 ? [] : [`a mapping with ${list(keys, "or")}`])].join(" or ")
}

/** `"a", "b", "c"`; with a word, `"a", "b" or "c"`. */
export const list = (items: ReadonlyArray<string>, last?: "and" | "or"): string => {
  const quoted = items.map((item) => JSON.stringify(item))
  if (last === undefined || quoted.length < 2) return quoted.join(", ")
  return `${quoted.slice(0, -1).join(", ")} ${last} ${quoted.at(-1)}`
}
