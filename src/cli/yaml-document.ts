import { type Alias, type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, visit } from "yaml"
import { parseJson } from "../domain/json.ts"
import type { ScenarioPath } from "../inference/scenario-problem.ts"
import { jsonFault } from "./json-fault.ts"
import { composeDocument, type OffsetProblem, tooDeep } from "./yaml-compose.ts"

/** A place in a text, both from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** What keeps a text from being one JSON value, and where. */
export interface TextProblem extends TextPlace {
  readonly message: string
}

/**
 * A text as one JSON value. `place` finds where a path stands: the key of its last part, or what is under it; the nearest
 * place above when there is no such thing.
 *
 * @since 0.1.0
 * @category models
 */
export interface PlacedDocument {
  readonly value: unknown
  readonly problems: ReadonlyArray<TextProblem>
  readonly place: (path: ScenarioPath, at: "key" | "value") => TextPlace
}

/** More uses of one anchor, nested ones multiplied, are taken for an attack on memory. */
const aliasCountMax = 1_000

/**
 * Reads YAML 1.2, or JSON by its own stricter rules; JSON that is JSON is then read as YAML, for the places.
 *
 * **Refuses** what JSON cannot carry: keys that are no strings, unknown tags, infinite and rounded numbers, cycles
 *
 * @since 0.1.0
 * @category encoding
 */
export const readDocument = (text: string, format: "yaml" | "json"): PlacedDocument => {
  const lines = new LineCounter()
  const { document, problems } = composeDocument(text, { lines, schema: format === "json" ? "json" : "core" })
  const fault = format === "json" ? jsonFault(text) : undefined
  const { value, found } =
    fault !== undefined
      ? refused([{ offset: fault.offset, message: `is no JSON: ${fault.wanted} was wanted here` }])
      : document === undefined || problems.length > 0
        ? refused(problems)
        : readValue(document)
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  return {
    value,
    problems: found.map(({ offset, message }) => ({ ...placeAt(offset), message })),
    place: (path, at) => placeAt(document === undefined ? 0 : offsetOf(document, { path, at }))
  }
}

interface Read {
  readonly value: unknown
  readonly found: ReadonlyArray<OffsetProblem>
}

const refused = (found: ReadonlyArray<OffsetProblem>): Read => ({ value: undefined, found })

/** The value with its aliases written out, as a JSON body would carry it. */
const readValue = (document: Document.Parsed): Read => {
  try {
    const shared: unknown = document.toJS({ maxAliasCount: aliasCountMax })
    const plain = parseJson(Buffer.from(JSON.stringify(shared)))
    return plain.ok ? { value: plain.body.value, found: numberProblems(document) } : refused([tooDeep])
  } catch (error) {
    if (error instanceof ReferenceError) return refused([aliasProblem(document)])
    if (error instanceof RangeError) return refused([tooMuch])
    return refused([{ offset: 0, message: "has an alias that contains itself" }])
  }
}

const tooMuch: OffsetProblem = { offset: 0, message: "is too deep or too large with its aliases written out" }

const numberProblems = (document: Document.Parsed): ReadonlyArray<OffsetProblem> => {
  const found: Array<OffsetProblem> = []
  visit(document, {
    Scalar(_, { value, source = "", range }) {
      if (typeof value !== "number") return
      const offset = range?.[0] ?? 0
      if (!Number.isFinite(value)) found.push({ offset, message: `${source} is a number that JSON does not have` })
      else if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(source))
        found.push({ offset, message: `${source} is beyond 2^53 and would be rounded; quote it, or use a raw body` })
    }
  })
  return found
}

/** The first alias that nothing before it anchors, or the whole text when there are too many. */
const aliasProblem = (document: Document.Parsed): OffsetProblem => {
  const lost: Array<Alias> = []
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined
      lost.push(alias)
      return visit.BREAK
    }
  })
  const [first] = lost
  if (first === undefined) return { offset: 0, message: `has too many aliases: more than ${aliasCountMax} uses of one` }
  return { offset: first.range?.[0] ?? 0, message: `*${first.source} names no anchor before it; add &${first.source}` }
}

const offsetOf = (
  document: Document.Parsed,
  { path, at }: { readonly path: ScenarioPath; readonly at: "key" | "value" }
): number => {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === part)
      if (pair === undefined) return offset
      offset = startOf(pair.key) ?? offset
      if (at === "key" && depth === path.length - 1) return offset
      node = pair.value
    } else if (isSeq(node) && typeof part === "number") {
      node = node.items[part]
    } else return offset
    offset = startOf(node) ?? offset
  }
  return offset
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
