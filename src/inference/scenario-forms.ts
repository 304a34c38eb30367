import { closest } from "../domain/spelling.ts"
import { resolved, type SchemaNode, type SchemaTable, typesOf } from "./scenario-schema-node.ts"

/** Advice for more keys of one mapping costs time and is not read. */
export const advisedMax = 100

/** All keys that any of these mappings may have. */
export const keysOf = (forms: ReadonlyArray<SchemaNode>): ReadonlyArray<string> => [
  ...new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})))
]

/** The keys that tell a form from its siblings: what it alone requires, or all it knows where it requires nothing. */
export const tellingKeys = (form: SchemaNode, siblings: ReadonlyArray<SchemaNode>): ReadonlyArray<string> => {
  const { required = [], properties = {} } = form
  if (required.length === 0) return Object.keys(properties)
  return required.filter((key) => siblings.every((other) => other === form || other.required?.includes(key) !== true))
}

/** The telling keys of all forms. */
export const allTellingKeys = (forms: ReadonlyArray<SchemaNode>): ReadonlyArray<string> => [
  ...new Set(forms.flatMap((form) => tellingKeys(form, forms)))
]

/**
 * The form that a mapping most likely is: of those with all they require the one with the fewest keys that it does not
 * know, else one of which a telling key is there, misspelt ones included. Where forms share what they require they are
 * variants of one thing, and the first of them is meant.
 *
 * **Gives** `undefined` when nothing tells
 *
 * @since 0.1.0
 * @category schemas
 */
export const meantForm = (
  forms: ReadonlyArray<SchemaNode>,
  value: Readonly<Record<string, unknown>>
): SchemaNode | undefined => {
  const given = Object.keys(value)
  const unknown = (form: SchemaNode): number => given.filter((key) => !Object.hasOwn(form.properties ?? {}, key)).length
  const missing = (form: SchemaNode): number => (form.required ?? []).filter((key) => !Object.hasOwn(value, key)).length
  const best = (some: ReadonlyArray<SchemaNode>, distance: (form: SchemaNode) => number): SchemaNode | undefined =>
    [...some].sort((left, right) => distance(left) - distance(right))[0]

  const complete = forms.filter((form) => missing(form) === 0)
  if (complete.length > 0) return best(complete, unknown)
  const [first] = forms
  const isVaried = first?.required?.some((key) => forms.every((form) => form.required?.includes(key))) === true
  if (!isVaried || forms.length === 1) return undefined
  const told = formsTold(forms, given)
  return told.length === 0 ? first : best(told, (form) => missing(form) + unknown(form))
}

const formsTold = (forms: ReadonlyArray<SchemaNode>, given: ReadonlyArray<string>): ReadonlyArray<SchemaNode> => {
  const known = keysOf(forms)
  const meant = given.slice(0, advisedMax).map((key) => (known.includes(key) ? key : closest(key, known)))
  return forms.filter((form) => tellingKeys(form, forms).some((key) => meant.includes(key)))
}

/** A mapping as it is written, with what it must have: `{ afterEvent: N }`. */
export const mappingForm = (form: SchemaNode, defs: SchemaTable): string => {
  const written = (key: string): string => {
    const node = resolved(form.properties?.[key] ?? {}, defs)
    const inner = node.oneOf?.map((branch) => resolved(branch, defs)).find((branch) => branch.type === "object")
    if (inner !== undefined) return mappingForm(inner, defs)
    return typesOf(node).includes("integer") ? "N" : "..."
  }
  return `{ ${(form.required ?? []).map((key) => `${key}: ${written(key)}`).join(", ")} }`
}
