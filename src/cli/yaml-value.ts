import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node } from "yaml"
import type { OffsetProblem } from "./yaml-compose.ts"

/** Aliases that write out more characters and values than this are taken for an attack on memory. */
export const aliasWeightMax = 1024 * 1024

/** The value of a document, what JSON cannot carry of it, and the node that each alias stands for. */
export interface WrittenOut {
  /** Aliases of one anchor share one value. */
  readonly value: unknown
  readonly problems: ReadonlyArray<OffsetProblem>
  readonly targets: ReadonlyMap<Alias, Node>
}

/** A value, and how many characters and values it has with its aliases written out. */
interface Weighed {
  readonly value: unknown
  readonly weight: number
}

/**
 * The value of a document in one pass: `toJS` of the library searches the anchors anew for every alias.
 *
 * **Fails** never
 *
 * @since 0.1.0
 * @category encoding
 */
export const writeOut = (document: Document.Parsed): WrittenOut => {
  const problems: Array<OffsetProblem> = []
  const targets = new Map<Alias, Node>()
  const anchors = new Map<string, Node>()
  /** Of nodes with an anchor; `null` while the node is read. */
  const anchored = new Map<Node, Weighed | null>()
  let aliasWeight = 0

  const ofAlias = (alias: Alias): Weighed => {
    const { source } = alias
    const target = anchors.get(source)
    const known = target === undefined ? undefined : anchored.get(target)
    if (target !== undefined) targets.set(alias, target)
    if (known !== undefined && known !== null) {
      aliasWeight += known.weight
      return known
    }
    const message =
      target === undefined
        ? `*${source} names no anchor before it; add &${source}`
        : "has an alias that contains itself"
    problems.push({ offset: alias.range?.[0] ?? 0, message })
    return nothing
  }
  const ofContent = (node: unknown): Weighed => {
    if (isScalar(node)) {
      const problem = numberProblem(node)
      if (problem !== undefined) problems.push({ offset: node.range?.[0] ?? 0, message: problem })
      return { value: node.value, weight: 1 + (typeof node.value === "string" ? node.value.length : 0) }
    }
    if (isSeq(node)) {
      const items = node.items.map(read)
      return { value: items.map(({ value }) => value), weight: sum(items) }
    }
    if (!isMap(node)) return nothing
    const entries = node.items.map(({ key, value }) => ({ key: read(key), item: read(value) }))
    return {
      value: Object.fromEntries(entries.map(({ key, item }) => [String(key.value), item.value])),
      weight: sum(entries.map(({ key, item }) => ({ weight: key.weight + item.weight })))
    }
  }
  const read = (node: unknown): Weighed => {
    if (isAlias(node)) return ofAlias(node)
    if (!(isScalar(node) || isSeq(node) || isMap(node)) || node.anchor === undefined) return ofContent(node)
    anchors.set(node.anchor, node)
    anchored.set(node, null)
    const weighed = ofContent(node)
    anchored.set(node, weighed)
    return weighed
  }

  const { value } = read(document.contents)
  const isAttack = aliasWeight > aliasWeightMax
  return { value: isAttack ? null : value, problems: isAttack ? [tooManyAliases] : problems, targets }
}

const nothing: Weighed = { value: null, weight: 1 }

const tooManyAliases: OffsetProblem = {
  offset: 0,
  message: `has too many aliases: they write out more than ${aliasWeightMax} characters`
}

const sum = (parts: ReadonlyArray<{ readonly weight: number }>): number =>
  parts.reduce((total, { weight }) => total + weight, 1)

const numberProblem = ({
  value,
  source = ""
}: {
  readonly value: unknown
  readonly source?: string
}): string | undefined => {
  if (typeof value !== "number") return undefined
  if (!Number.isFinite(value)) return `${source} is a number that JSON does not have`
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(source)
  return isRounded ? `${source} is beyond 2^53 and would be rounded; quote it, or use a raw body` : undefined
}
