import {
  openObject,
  orElse,
  orNull,
  type Read,
  readInteger,
  readShare,
  readWord,
  refuse
} from "../../domain/field-readers.ts"
import { describe, isRecord, jsonDepthMax } from "../../domain/json.ts"
import { everyFrame, type FrameMatch, type Span } from "./fault-program.ts"

const most = Number.MAX_SAFE_INTEGER

/** A number, or `{ from, to }`, where `to` may be missing. */
export const readSpan: Read<Span> = (value, at) => {
  if (typeof value === "number") {
    const only = readInteger({ least: 0, most })(value, at)
    return { from: only, to: only }
  }
  const field = openObject(value, at, ["from", "to"])
  const from = field("from", orElse(readInteger({ least: 0, most }), 1))
  return { from, to: field("to", orNull(readInteger({ least: from, most }))) }
}

const readEvery: Read<FrameMatch["every"]> = (value, at) => {
  if (typeof value === "number") {
    const step = readInteger({ least: 1, most })(value, at)
    return { step, first: step }
  }
  const field = openObject(value, at, ["step", "first"])
  const step = field("step", readInteger({ least: 1, most }))
  return { step, first: field("first", orElse(readInteger({ least: 1, most }), step)) }
}

const readWhere: Read<ReadonlyMap<string, unknown>> = (value, at) => {
  // Reading what was read gives the same.
  if (value instanceof Map) return readWhere(Object.fromEntries(value), at)
  if (!isRecord(value)) return refuse(at, `is ${describe(value)}; use an object of JSON pointers and values`)
  const entries = Object.entries(value)
  for (const [pointer, wanted] of entries) {
    if (!isData(wanted)) refuse(at, `has ${describe(wanted)} at ${describe(pointer)}, which no frame holds; use JSON`)
    if (pointer !== "" && !pointer.startsWith("/"))
      refuse(at, `has ${describe(pointer)}, which is no JSON pointer; begin it with a "/"`)
  }
  return new Map(entries)
}

/** Whether a value can be that of decoded JSON. */
const isData = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || depth > jsonDepthMax) return false
  return Object.values(value).every((inner) => isData(inner, depth + 1))
}

const readTest: Read<NonNullable<FrameMatch["test"]>> = (value, at) => {
  if (!isTest(value)) return refuse(at, `is ${describe(value)}; use a function`)
  return value
}

const isTest = (value: unknown): value is (content: unknown) => boolean => typeof value === "function"

/** What frames a rule is about; without anything, all of them. */
export const readMatch: Read<FrameMatch> = (value, at) => {
  if (value === undefined) return everyFrame
  const field = openObject(value, at, [
    "index",
    "range",
    "every",
    "byteOffset",
    "kind",
    "method",
    "where",
    "test",
    "nth",
    "probability"
  ])
  return {
    index: field("index", orNull(readInteger({ least: 0, most }))),
    range: field("range", orNull(readSpan)),
    every: field("every", orNull(readEvery)),
    byteOffset: field("byteOffset", orNull(readInteger({ least: 0, most }))),
    kind: field("kind", orNull(readWord)),
    method: field("method", orNull(readWord)),
    where: field("where", orNull(readWhere)),
    test: field("test", orNull(readTest)),
    nth: field("nth", orNull(readSpan)),
    probability: field("probability", orElse(readShare, 1))
  }
}
