import { placeOf, type Read, readText, readWord, refuse } from "../../domain/field-readers.ts"
import { describe, isRecord } from "../../domain/json.ts"
import { suggestion } from "../../domain/spelling.ts"
import type { JsonObject, JsonValue } from "./agent-profile.ts"
import { placeholdersOf } from "./template.ts"

/* What the fields of profiles hold, besides what any document may. */

export const readVariable: Read<string> = (value, at) => {
  const name = readWord(value, at)
  return name.includes("=") ? refuse(at, `is ${describe(name)}; the name of a variable holds no "="`) : name
}

export const readMap =
  <A>(read: Read<A>, readName: Read<string> = readVariable): Read<Readonly<Record<string, A>>> =>
  (value, at) => {
    if (!isRecord(value)) return refuse(at, `is ${describe(value)}; use an object of names and values`)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        const place = placeOf(at, name)
        return [readName(name, place), read(item, place)]
      })
    )
  }

/** A text whose placeholders are all known. */
export const readTemplate =
  (names: ReadonlyArray<string>, readWhole: Read<string> = readText): Read<string> =>
  (value, at) => {
    const template = readWhole(value, at)
    for (const name of placeholdersOf(template)) {
      if (names.includes(name)) continue
      const help = suggestion(name, names) || `; it may name ${names.map((known) => `{${known}}`).join(", ")}`
      refuse(at, `names {${name}}, which is not known${help}`)
    }
    return template
  }

const depthMax = 32

/** Anything that JSON can hold, copied. */
const readJson = (value: unknown, at: string, depth: number): JsonValue => {
  if (depth > depthMax) return refuse(at, `is nested deeper than ${depthMax} levels`)
  if (value === null || typeof value === "boolean" || typeof value === "string") return value
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map((item, index) => readJson(item, `${at}[${index}]`, depth + 1))
  return isRecord(value) ? readMembers(value, at, depth) : refuse(at, `is ${describe(value)}, which JSON cannot hold`)
}

const readMembers = (value: Readonly<Record<string, unknown>>, at: string, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, readJson(item, placeOf(at, name), depth + 1)]))

export const readJsonObject: Read<JsonObject> = (value, at) =>
  isRecord(value) ? readMembers(value, at, 0) : refuse(at, `is ${describe(value)}; use an object`)
