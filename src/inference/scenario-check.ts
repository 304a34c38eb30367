import { isRecord } from "../domain/json.ts"
import { problemAt, type ScenarioPath, type ScenarioProblem } from "./scenario-problem.ts"
import type { Conforming, JsonType, SchemaNode, SchemaTable } from "./scenario-schema-node.ts"
import { closest, suggestion } from "./scenario-spelling.ts"
import { describeSchema, describeValue, list, typeOf } from "./scenario-words.ts"

/** What is checked, where it stands, and the schemas that a `$ref` may name. */
interface Site {
  readonly value: unknown
  readonly path: ScenarioPath
  readonly defs: SchemaTable
}

/**
 * Everything that keeps a value from conforming to a schema. An interpreter of exactly the part of JSON Schema that
 * `SchemaNode` names: a library would be ten times its size, and its messages know neither YAML nor misspellings.
 *
 * **Fails** never
 *
 * @since 0.1.0
 * @category guards
 */
export const checkSchema = (node: SchemaNode, site: Site): ReadonlyArray<ScenarioProblem> => {
  const schema = resolved(node, site.defs)
  if (schema.oneOf !== undefined) return checkOneOf(schema, schema.oneOf, site)
  if (schema.enum !== undefined) return checkEnum(schema, schema.enum, site)
  if (schema.type !== undefined && !hasType(schema, site.value)) return [wrongType(schema, site)]
  const { value, path, defs } = site
  if (typeof value === "string") return checkText(schema, value, path)
  if (typeof value === "number") return checkRange(schema, value, path)
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return []
    return value.flatMap((item: unknown, index) => checkSchema(items, { value: item, path: [...path, index], defs }))
  }
  return isRecord(value) ? checkMembers(schema, value, { path, defs, siblings: [schema] }) : []
}

/** Whether a value conforms to a schema whose `$ref`s are in `defs`. */
export const conforms = <const Node extends SchemaNode, const Defs extends SchemaTable>(
  value: unknown,
  node: Node,
  defs: Defs
): value is Conforming<Node, Defs> => checkSchema(node, { value, defs, path: [] }).length === 0

const resolved = (node: SchemaNode, defs: SchemaTable): SchemaNode =>
  node.$ref === undefined ? node : (defs[node.$ref.slice("#/$defs/".length)] ?? {})

const hasType = (schema: SchemaNode, value: unknown): boolean => {
  if (schema.type === undefined) return schema.enum === undefined || typeof value === "string"
  const actual = typeOf(value)
  return typesOf(schema).some(
    (type) =>
      type === actual || (type === "integer" && Number.isInteger(value)) || (type === "number" && actual === "integer")
  )
}

const typesOf = ({ type }: SchemaNode): ReadonlyArray<JsonType> => {
  if (type === undefined) return []
  return typeof type === "string" ? [type] : type
}

const wrongType = (schema: SchemaNode, { value, path }: Site): ScenarioProblem => {
  const isText =
    typesOf(schema).includes("string") || schema.oneOf?.some((branch) => typesOf(branch).includes("string"))
  const isScalar = typeof value === "number" || typeof value === "boolean"
  const advice = isText && isScalar ? `; as a string it is written "${value}"` : ""
  return problemAt(path, `${describeValue(schema, value)} does not fit; give ${describeSchema(schema)}${advice}`)
}

const checkEnum = (
  schema: SchemaNode,
  allowed: ReadonlyArray<string>,
  { value, path }: Site,
  others: ReadonlyArray<string> = []
): ReadonlyArray<ScenarioProblem> => {
  if (typeof value === "string" && allowed.includes(value)) return []
  const hint = typeof value === "string" ? suggestion(value, allowed) : ""
  const words = [list(allowed), ...others].join(" or ")
  return [
    problemAt(path, `${describeValue(schema, value)} is not ${allowed.length === 1 ? "" : "one of "}${words}${hint}`)
  ]
}

const checkText = (schema: SchemaNode, text: string, path: ScenarioPath): ReadonlyArray<ScenarioProblem> => {
  const { minLength, pattern, patternErrorMessage } = schema
  if (minLength !== undefined && text.length < minLength)
    return [problemAt(path, "is empty; give at least one character")]
  if (pattern === undefined || new RegExp(pattern, "u").test(text)) return []
  return [problemAt(path, `${describeValue(schema, text)} ${patternErrorMessage ?? `does not match ${pattern}`}`)]
}

const checkRange = (schema: SchemaNode, value: number, path: ScenarioPath): ReadonlyArray<ScenarioProblem> => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (value >= minimum && value <= maximum) return []
  return [problemAt(path, `${value} is out of range; give ${describeSchema(schema)}`)]
}

/** One branch is chosen by type and by the keys that are there; only its problems are told. */
const checkOneOf = (
  schema: SchemaNode,
  oneOf: ReadonlyArray<SchemaNode>,
  site: Site
): ReadonlyArray<ScenarioProblem> => {
  const { value, path, defs } = site
  const branches = oneOf.map((branch) => resolved(branch, defs)).filter((branch) => hasType(branch, value))
  const [first] = branches
  if (first === undefined) return [wrongType({ ...schema, oneOf: oneOf.map((branch) => resolved(branch, defs)) }, site)]
  if (!isRecord(value)) {
    const others = oneOf.map((branch) => resolved(branch, defs)).filter((branch) => branch.type === "object")
    return first.enum === undefined
      ? checkSchema(first, site)
      : checkEnum(
          first,
          first.enum,
          site,
          others.map((form) => mappingForm(form, defs))
        )
  }
  const unknownKeys = (branch: SchemaNode): number =>
    Object.keys(value).filter((key) => !Object.hasOwn(branch.properties ?? {}, key)).length
  const [best] = branches
    .filter((branch) => (branch.required ?? []).every((key) => Object.hasOwn(value, key)))
    .sort((left, right) => unknownKeys(left) - unknownKeys(right))
  if (best !== undefined) return checkMembers(best, value, { path, defs, siblings: branches })
  const known = keysOf(branches)
  const strangers = Object.keys(value).filter((key) => !known.includes(key))
  if (strangers.length > 0)
    return strangers.slice(0, advisedMax).map((key) => unknownKey(key, { path, defs, siblings: branches }))
  return [problemAt(path, `has no ${list(requiredIn(branches), "or")}; add one, for it says what this is`)]
}

/** A mapping as it is written, with what it must have: `{ afterEvent: N }`. */
const mappingForm = (form: SchemaNode, defs: SchemaTable): string => {
  const written = (key: string): string => {
    const node = resolved(form.properties?.[key] ?? {}, defs)
    const inner = node.oneOf?.map((branch) => resolved(branch, defs)).find((branch) => branch.type === "object")
    if (inner !== undefined) return mappingForm(inner, defs)
    return typesOf(node).includes("integer") ? "N" : "..."
  }
  return `{ ${(form.required ?? []).map((key) => `${key}: ${written(key)}`).join(", ")} }`
}

/** `siblings` are all forms that the mapping could have had, itself included. */
interface MemberSite {
  readonly path: ScenarioPath
  readonly defs: SchemaTable
  readonly siblings: ReadonlyArray<SchemaNode>
}

/** Advice for more keys of one mapping costs time and is not read. */
const advisedMax = 100

const checkMembers = (
  schema: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  site: MemberSite
): ReadonlyArray<ScenarioProblem> => {
  const { path, defs, siblings } = site
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema
  if (additionalProperties === undefined && schema.properties === undefined) return []
  const missing = required.filter((key) => !Object.hasOwn(value, key))
  // A misspelt key is told once, not a second time as missing.
  const strangers =
    missing.length === 0
      ? []
      : Object.keys(value)
          .filter((key) => !Object.hasOwn(properties, key))
          .slice(0, advisedMax)
  const meant = strangers.map((key) => closest(key, keysOf(siblings)))
  let unknown = 0
  const problems = Object.entries(value).flatMap(([key, item]): ReadonlyArray<ScenarioProblem> => {
    const node = Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    if (node === false && ++unknown > advisedMax)
      return [{ path: [...path, key], at: "key", message: "is not allowed" }]
    if (node === false) return [besideOthers(schema, key, site) ?? unknownKey(key, site)]
    const names =
      propertyNames === undefined ? [] : checkSchema(propertyNames, { value: key, path: [...path, key], defs })
    if (names.length > 0) return names.map((problem) => ({ ...problem, at: "key" }))
    return node === undefined ? [] : checkSchema(node, { value: item, path: [...path, key], defs })
  })
  const absent = missing
    .filter((key) => !meant.includes(key))
    .map((key) => {
      const wanted = describeSchema(resolved(properties[key] ?? {}, defs))
      return problemAt(path, `has no ${JSON.stringify(key)}; add it with ${wanted}`)
    })
  return [...problems, ...absent]
}

/** A key that another form has: right by itself, wrong in this company. */
const besideOthers = (schema: SchemaNode, key: string, { path, siblings }: MemberSite): ScenarioProblem | undefined => {
  const [own] = schema.required ?? []
  if (own === undefined || !keysOf(siblings).includes(key)) return undefined
  const message = `is not allowed beside ${JSON.stringify(own)}; allowed there: ${list(keysOf([schema]))}`
  return { path: [...path, key], at: "key", message }
}

const unknownKey = (key: string, { path, siblings }: MemberSite): ScenarioProblem => {
  const known = keysOf(siblings)
  const found = suggestion(key, known)
  return {
    path: [...path, key],
    at: "key",
    message: found === "" ? `is an unknown key; known here: ${list(known)}` : `is an unknown key${found}`
  }
}

const keysOf = (schemas: ReadonlyArray<SchemaNode>): ReadonlyArray<string> => [
  ...new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})))
]

const requiredIn = (schemas: ReadonlyArray<SchemaNode>): ReadonlyArray<string> => [
  ...new Set(schemas.flatMap((schema) => schema.required ?? []))
]
