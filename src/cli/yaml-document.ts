import { LineCounter } from "yaml"
import { parseJson } from "../domain/json.ts"
import type { ScenarioPath } from "../inference/scenario-problem.ts"
import { jsonFault } from "./json-fault.ts"
import { composeDocument, type OffsetProblem, tooDeep } from "./yaml-compose.ts"
import { makePlaces } from "./yaml-places.ts"
import { type WrittenOut, writeOut } from "./yaml-value.ts"

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
  const isRefused = fault !== undefined || document === undefined || problems.length > 0
  const written = isRefused ? undefined : writeOut(document)
  const { value, found } =
    fault !== undefined
      ? refused([{ offset: fault.offset, message: `is no JSON: ${fault.wanted} was wanted here` }])
      : written === undefined
        ? refused(problems)
        : plainValue(written)
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const offsetOf = document === undefined ? () => 0 : makePlaces(document, written?.targets ?? new Map())
  return {
    value,
    problems: found.map(({ offset, message }) => ({ ...placeAt(offset), message })),
    place: (path, at) => placeAt(offsetOf(path, at))
  }
}

interface Read {
  readonly value: unknown
  readonly found: ReadonlyArray<OffsetProblem>
}

const refused = (found: ReadonlyArray<OffsetProblem>): Read => ({ value: undefined, found })

/** The value as a JSON body would carry it, shared parts copied. */
const plainValue = ({ value, problems }: WrittenOut): Read => {
  if (problems.length > 0) return refused(problems)
  try {
    const plain = parseJson(Buffer.from(JSON.stringify(value)))
    return plain.ok ? { value: plain.body.value, found: [] } : refused([tooDeep])
  } catch (error) {
    if (error instanceof RangeError) return refused([tooDeep])
    throw error
  }
}
