import { Composer, type CST, type Document, isMap, isSeq, type LineCounter, Parser } from "yaml"
import { jsonDepthMax } from "../domain/json.ts"
import { keyOf, startOf } from "./yaml-places.ts"

/** A problem at an offset of a text. */
export interface OffsetProblem {
  readonly offset: number
  readonly message: string
}

/** What a text is as YAML, and what is wrong with it. Nesting beyond the bound gives no document. */
export interface Composed {
  readonly document: Document.Parsed | undefined
  readonly problems: ReadonlyArray<OffsetProblem>
}

/** More entries of lists and mappings are refused: composing them would take seconds in which no signal is heard. */
export const entriesMax = 400_000

const tooMany: OffsetProblem = { offset: 0, message: `has more than ${entriesMax} entries; give a smaller scenario` }

/** What is said of a file whose values are nested too deep to be composed. */
export const tooDeep: OffsetProblem = { offset: 0, message: `is nested deeper than ${jsonDepthMax} levels` }

/**
 * Composes the one document of a text.
 *
 * @since 0.1.0
 * @category encoding
 */
export const composeDocument = (
  text: string,
  { lines, schema }: { readonly lines: LineCounter; readonly schema: "core" | "json" }
): Composed => {
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  const excess = excessOf(tokens)
  if (excess !== undefined) return { document: undefined, problems: [excess] }
  // The library compares each key of a mapping with all before it, and its tags beyond the schema are no JSON.
  const options = { prettyErrors: false, stringKeys: true, uniqueKeys: false, resolveKnownTags: false } as const
  const composer = new Composer({ ...options, logLevel: "error", schema })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (document === undefined) return { document, problems: [{ offset: 0, message: "is empty" }] }
  const found = [...document.errors, ...document.warnings].map(({ pos: [offset], message }) => ({ offset, message }))
  const isSecond = second !== undefined && second.range[0] > document.range[0]
  const more = isSecond ? [{ offset: second.range[0], message: "begins a second document; a scenario is one" }] : []
  return { document, problems: [...found, ...repeatedKeys(document), ...more] }
}

/** Every key that its mapping has already. */
const repeatedKeys = (document: Document.Parsed): ReadonlyArray<OffsetProblem> => {
  const found: Array<OffsetProblem> = []
  const waiting: Array<unknown> = [document.contents]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isSeq(node)) for (const item of node.items) waiting.push(item ?? null)
    if (!isMap(node)) continue
    const keys = new Set<unknown>()
    for (const pair of node.items) {
      const key = keyOf(pair)
      if (keys.has(key)) found.push({ offset: startOf(pair.key) ?? 0, message: "Map keys must be unique" })
      keys.add(key)
      waiting.push(pair.key ?? null, pair.value ?? null)
    }
  }
  return found
}

/**
 * The parser keeps a stack of its own; the composer is recursive, and at the end of the stack its regular expressions
 * can take the whole process down. So it never sees what is nested too deep.
 */
const excessOf = (tokens: ReadonlyArray<CST.Token>): OffsetProblem | undefined => {
  let level: ReadonlyArray<CST.Token> = tokens.flatMap(childrenOf)
  let entries = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > jsonDepthMax) return tooDeep
    for (const token of level) entries += "items" in token ? token.items.length : 0
    if (entries > entriesMax) return tooMany
    level = level.flatMap(childrenOf)
  }
  return undefined
}

const childrenOf = (token: CST.Token): ReadonlyArray<CST.Token> => {
  if (token.type === "document") return present([token.value])
  return "items" in token ? token.items.flatMap(({ key, value }) => present([key, value])) : []
}

const present = (tokens: ReadonlyArray<CST.Token | null | undefined>): ReadonlyArray<CST.Token> =>
  tokens.filter((token) => token !== null && token !== undefined)
