import {
  openObject,
  orElse,
  orNull,
  type Read,
  readFlag,
  readInteger,
  readList,
  readOneOf,
  readWord,
  refuse
} from "../../domain/field-readers.ts"
import { describe, isRecord } from "../../domain/json.ts"
import type { ModelSelection, ProfileAcp, ProfileAuth } from "./agent-profile.ts"
import { readJsonObject, readTemplate, readVariable } from "./field-readers.ts"
import { sandboxPlaceholders } from "./template.ts"

/** For an agent of which nobody said whether it ends with its input. */
const unknownEnd = { exits: true, withinMs: 30_000 }

const withinMsMax = 3_600_000
const protocolVersionMax = 65_535

/** Reads `acp`. */
export const readAcp: Read<ProfileAcp> = (value, at) => {
  const field = openObject(value, at, [
    "args",
    "leadingArgsPosition",
    "protocolVersion",
    "initializeMeta",
    "clientCapabilities",
    "auth",
    "modelSelection",
    "exitsOnStdinEof"
  ])
  return {
    args: field("args", readList(readTemplate(sandboxPlaceholders))),
    leadingArgsPosition: field("leadingArgsPosition", orElse(readOneOf(["before", "after"]), "before")),
    protocolVersion: field("protocolVersion", orElse(readInteger({ least: 0, most: protocolVersionMax }), 1)),
    initializeMeta: field("initializeMeta", orNull(readJsonObject)),
    clientCapabilities: field("clientCapabilities", orElse(readJsonObject, {})),
    auth: field("auth", orElse(readAuth, "none")),
    modelSelection: field("modelSelection", orElse(readModelSelection, "none")),
    exitsOnStdinEof: field("exitsOnStdinEof", orElse(readEnd, unknownEnd))
  }
}

const readAuth: Read<ProfileAuth> = (value, at) => {
  if (value === "none") return "none"
  if (isRecord(value) && Object.hasOwn(value, "anyOf")) {
    const field = openObject(value, at, ["anyOf", "meta"])
    const anyOf = field("anyOf", readList(readWord))
    return anyOf.length === 0
      ? refuse(`${at}.anyOf`, "is empty; name a method")
      : { anyOf, meta: field("meta", orNull(readJsonObject)) }
  }
  if (typeof value === "string") return refuse(at, `is ${describe(value)}; use "none", { methodId } or { anyOf }`)
  const field = openObject(value, at, ["methodId", "meta"])
  return { methodId: field("methodId", readWord), meta: field("meta", orNull(readJsonObject)) }
}

const readModelSelection: Read<ModelSelection> = (value, at) => {
  if (value === "none") return "none"
  const ways = ["newSessionMeta", "method", "configOption", "env"] as const
  if (typeof value === "string")
    return refuse(at, `is ${describe(value)}; use "none" or an object with ${ways.join(", ")}`)
  const field = openObject(value, at, ways)
  const [way, ...others] = isRecord(value) ? ways.filter((name) => Object.hasOwn(value, name)) : []
  if (way === undefined || others.length > 0)
    return refuse(at, `says ${others.length + 1} ways; use one of ${ways.join(", ")}`)
  switch (way) {
    case "newSessionMeta":
      return { newSessionMeta: field(way, readWord) }
    case "method":
      return { method: field(way, readWord) }
    case "configOption":
      return { configOption: field(way, readWord) }
    case "env":
      return { env: field(way, readVariable) }
  }
}

const readEnd: Read<ProfileAcp["exitsOnStdinEof"]> = (value, at) => {
  const field = openObject(value, at, ["exits", "withinMs"])
  return {
    exits: field("exits", readFlag),
    withinMs: field("withinMs", orElse(readInteger({ least: 1, most: withinMsMax }), unknownEnd.withinMs))
  }
}
