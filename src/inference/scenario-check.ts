import { isRecord } from "../domain/json.ts"
import { closest, suggestion } from "../domain/spelling.ts"
import { advisedMax, allTellingKeys, keysOf, mappingForm, meantForm, tellingKeys } from "./scenario-forms.ts"
import { problemAt, type ScenarioPath, type ScenarioProblem } from "./scenario-problem.ts"
import { type Conforming, resolved, type SchemaNode, type SchemaTable, typesOf } from "./scenario-schema-node.ts"
import { describeSchema, describeValue, list, listedMax, typeOf } from "./scenario-words.ts"

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
    const { items, minItems = 0 } = schema
    if (value.length < minItems) return [problemAt(path, `is a list of ${value.length}; give ${minItems} or more`)]
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

const hasType = (schema: SchemaNode, value: unknown): boolean => {
  if (schema.type === undefined) return schema.enum === undefined || typeof value === "string"
  const actual = typeOf(value)
  return typesOf(schema).some(
    (type) =>
      type === actual || (type === "integer" && Number.isInteger(value)) || (type === "number" && actual === "integer")
  )
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
  if (allowed.length > listedMax && hint !== "")
    return [problemAt(path, `${describeValue(schema, value)} is not known${hint}`)]
  const words = [list(allowed), ...others].join(" or ")
  return [
    problemAt(path, `${describeValue(schema, value)} is not ${allowed.length === 1 ? "" : "one of "}${words}${hint}`)
  ]
}

const checkText = (schema: SchemaNode, text: string, path: ScenarioPath): ReadonlyArray<ScenarioProblem> => {
  const { minLength, pattern, patternErrorMessage, format } = schema
  if (minLength !== undefined && text.length < minLength)
    return [problemAt(path, "is empty; give at least one character")]
  const fault = format === "regex" ? regexFault(text) : null
  if (fault !== null) return [problemAt(path, `${describeValue(schema, text)} is no regular expression: ${fault}`)]
  if (pattern === undefined || new RegExp(pattern, "u").test(text)) return []
  return [problemAt(path, `${describeValue(schema, text)} ${patternErrorMessage ?? `does not match ${pattern}`}`)]
}

/** What is wrong with a regular expression, in the words of the engine without the expression itself. */
const regexFault = (text: string): string | null => {
  try {
    new RegExp(text, "u")
    return null
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return words.slice(words.lastIndexOf(": ") + 2)
  }
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
  const meant = meantForm(branches, value)
  if (meant !== undefined) return checkMembers(meant, value, { path, defs, siblings: branches })
  const known = keysOf(branches)
  const strangers = Object.keys(value).filter((key) => !known.includes(key))
  if (strangers.length > 0)
    return strangers.slice(0, advisedMax).map((key) => unknownKey(key, { path, defs, siblings: branches }))
  return [problemAt(path, `has no ${list(allTellingKeys(branches), "or")}; add one, for it says what this is`)]
}

/** `siblings` are all forms that the mapping could have had, itself included. */
interface MemberSite {
  readonly path: ScenarioPath
  readonly defs: SchemaTable
  readonly siblings: ReadonlyArray<SchemaNode>
}

const checkMembers = (
  schema: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  site: MemberSite
): ReadonlyArray<ScenarioProblem> => {
  const { path, defs, siblings } = site
  const { properties = {}, required = [], additionalProperties, propertyNames, minProperties = 0 } = schema
  if (Object.keys(value).length < minProperties) return [problemAt(path, emptyMapping(siblings))]
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
  const telling = siblings.length > 1 ? tellingKeys(schema, siblings) : []
  const absent = missing
    .filter((key) => !meant.includes(key))
    .map((key) => {
      if (telling.includes(key))
        return problemAt(path, `has no ${list(allTellingKeys(siblings), "or")}; add one of them`)
      const wanted = describeSchema(resolved(properties[key] ?? {}, defs))
      return problemAt(path, `has no ${JSON.stringify(key)}; add it with ${wanted}`)
    })
  return [...problems, ...absent]
}

const emptyMapping = (siblings: ReadonlyArray<SchemaNode>): string => {
  const known = keysOf(siblings)
  return known.length === 0 ? "is empty; give at least one entry" : `is empty; give at least one of ${list(known)}`
}

/** A key that another form has: right by itself, wrong in this company. */
const besideOthers = (schema: SchemaNode, key: string, { path, siblings }: MemberSite): ScenarioProblem | undefined => {
  const [own] = tellingKeys(schema, siblings)
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
