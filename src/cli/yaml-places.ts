import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap
} from "yaml"
import type { ScenarioPath } from "../inference/scenario-problem.ts"

/** Finds where a path stands in a text: the key of its last part, or what is under it. */
export type FindOffset = (path: ScenarioPath, at: "key" | "value") => number

/**
 * The places of a document. Each mapping is indexed when it is first looked into, so that many problems in a large one
 * cost no more than its size.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePlaces = (document: Document.Parsed, targets: ReadonlyMap<Alias, Node>): FindOffset => {
  const indexes = new Map<YAMLMap, ReadonlyMap<unknown, Pair>>()
  const indexOf = (map: YAMLMap): ReadonlyMap<unknown, Pair> => {
    const known = indexes.get(map)
    if (known !== undefined) return known
    const index = new Map(map.items.map((pair) => [keyOf(pair), pair]))
    indexes.set(map, index)
    return index
  }
  return (path, at) => {
    let node: unknown = document.contents
    let offset = startOf(node) ?? 0
    for (const [depth, part] of path.entries()) {
      if (isAlias(node)) node = targets.get(node)
      if (isMap(node)) {
        const pair = indexOf(node).get(part)
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
}

/** What a key is compared by. */
export const keyOf = ({ key }: Pair): unknown => (isScalar(key) ? key.value : key)

/** Where a node begins. */
export const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
