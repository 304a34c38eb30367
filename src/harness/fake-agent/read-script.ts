import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import {
  openObject,
  orElse,
  orNull,
  placeOf,
  type Read,
  readFlag,
  readInteger,
  readList,
  readOneOf,
  readText,
  readWhole,
  readWord,
  refuse
} from "../../domain/field-readers.ts"
import { describe, isRecord, member } from "../../domain/json.ts"
import { lineBytesMax } from "../../wire/acp/line-splitter.ts"
import { readJsonObject } from "../profile/field-readers.ts"
import {
  calmScript,
  type ExtraLine,
  type FakeAct,
  type FakeAgentScript,
  type FakeAnswer,
  type FakeRule,
  grandchildren,
  idForms,
  type ResponseFaults,
  type TurnStep
} from "./script.ts"
import { bigLineBytesMin } from "./turn-steps.ts"

/**
 * Reads the script of a fake agent, and fills in what it leaves out from `calmScript`.
 *
 * **Takes** plain data, as JSON holds it
 * **Fails** with `InvalidOption`, which names the member, and for an unknown one the one that was probably meant
 *
 * @since 0.1.0
 * @category guards
 */
export const readFakeScript = (value: unknown): FakeAgentScript => readFields(value)

const readFields = readWhole(
  (value): FakeAgentScript => read(value),
  "script",
  (message) => new InvalidOption(message)
)

const read = (value: unknown): FakeAgentScript => {
  const field = openObject(value, "", memberNames)
  return {
    protocolVersion: field("protocolVersion", orElse(count, calmScript.protocolVersion)),
    authMethods: field("authMethods", orElse(readList(readWord), calmScript.authMethods)),
    requiresAuth: field("requiresAuth", orElse(readFlag, false)),
    answer: field("answer", orElse(readAnswer, calmScript.answer)),
    chunks: field("chunks", orNull(readInteger({ least: 1, most: 1_000_000 }))),
    turn: field("turn", orElse(readList(readStep), [])),
    rules: field("rules", orElse(readList(readRule), [])),
    oneWrite: field("oneWrite", orElse(readFlag, false)),
    chunkBytes: field("chunkBytes", orNull(readInteger({ least: 1, most: lineBytesMax }))),
    splitUtf8: field("splitUtf8", orElse(readFlag, false)),
    responses: field("responses", orElse(readResponses, calmScript.responses)),
    noJsonrpc: field("noJsonrpc", orElse(readFlag, false)),
    stderr: field("stderr", orElse(readList(readText), [])),
    ignoreTerm: field("ignoreTerm", orElse(readFlag, false)),
    ignoreEof: field("ignoreEof", orElse(readFlag, false)),
    grandchild: field("grandchild", orNull(readOneOf(grandchildren)))
  }
}

const memberNames = [
  "protocolVersion",
  "authMethods",
  "requiresAuth",
  "answer",
  "chunks",
  "turn",
  "rules",
  "oneWrite",
  "chunkBytes",
  "splitUtf8",
  "responses",
  "noJsonrpc",
  "stderr",
  "ignoreTerm",
  "ignoreEof",
  "grandchild"
] as const satisfies ReadonlyArray<keyof FakeAgentScript>

const count = readInteger({ least: 0, most: Number.MAX_SAFE_INTEGER })
const signedCode = readInteger({ least: -(2 ** 31), most: 2 ** 31 - 1 })
const milliseconds = readInteger({ least: 0, most: delayMsMax })
const exitCode = readInteger({ least: 0, most: 255 })

/** Opens an object whose other members depend on its kind. */
const openKind = <Kind extends string, Name extends string>(
  value: unknown,
  at: string,
  {
    kinds,
    members
  }: { readonly kinds: ReadonlyArray<Kind>; readonly members: Readonly<Record<Kind, ReadonlyArray<Name>>> }
) => {
  if (!isRecord(value)) return refuse(at, `is ${describe(value)}; use an object with a kind`)
  const kind = readOneOf(kinds)(member(value, "kind"), placeOf(at, "kind"))
  return { kind, field: openObject<"kind" | Name>(value, at, ["kind", ...members[kind]]) }
}

const readAnswer: Read<FakeAnswer> = (value, at) => {
  const members = { echo: [], mock: [], text: ["text"] } as const
  const { kind, field } = openKind<FakeAnswer["kind"], "text">(value, at, { kinds: ["echo", "mock", "text"], members })
  return kind === "text" ? { kind, text: field("text", readText) } : { kind }
}

const stepKinds = [
  "update",
  "notify",
  "ask",
  "terminal",
  "line",
  "big line",
  "stderr"
] as const satisfies ReadonlyArray<TurnStep["kind"]>

type StepMember = "update" | "method" | "params" | "id" | "waits" | "command" | "text" | "bytes"

const stepMembers: Readonly<Record<TurnStep["kind"], ReadonlyArray<StepMember>>> = {
  update: ["update"],
  notify: ["method", "params"],
  ask: ["method", "params", "id", "waits"],
  terminal: ["command"],
  line: ["text"],
  "big line": ["bytes"],
  stderr: ["text"]
}

const readStep: Read<TurnStep> = (value, at) => {
  const { kind, field } = openKind<TurnStep["kind"], StepMember>(value, at, { kinds: stepKinds, members: stepMembers })
  switch (kind) {
    case "update":
      return { kind, update: field("update", readJsonObject) }
    case "notify":
      return { kind, method: field("method", readWord), params: field("params", orElse(readJsonObject, {})) }
    case "ask":
      return {
        kind,
        method: field("method", readWord),
        params: field("params", orElse(readJsonObject, {})),
        id: field("id", orNull(readIdToken)),
        waits: field("waits", orElse(readFlag, true))
      }
    case "terminal":
      return { kind, command: field("command", readWord) }
    case "big line":
      return { kind, bytes: field("bytes", readInteger({ least: bigLineBytesMin, most: 2 * lineBytesMax })) }
    case "line":
    case "stderr":
      return { kind, text: field("text", readText) }
  }
}

/** The text of a JSON value that may be an id. */
const readIdToken: Read<string> = (value, at) => {
  const token = readText(value, at)
  return isIdToken(token) ? token : refuse(at, `is ${token}; use the JSON text of a text, a number or null`)
}

/** Whether a text is JSON for an id. */
export const isIdToken = (token: string): boolean =>
  /^(?:null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\]|\\.)*")$/.test(token) && parses(token)

const parses = (json: string): boolean => {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

const readRule: Read<FakeRule> = (value, at) => {
  const field = openObject(value, at, ["method", "call", "afterChunks", "does"])
  const method = field("method", readWord)
  const afterChunks = field("afterChunks", orNull(count))
  if (afterChunks !== null && method !== "session/prompt") {
    refuse(at, 'has `afterChunks`; only the answer to "session/prompt" comes in chunks')
  }
  return {
    method,
    call: field("call", orNull(readInteger({ least: 1, most: Number.MAX_SAFE_INTEGER }))),
    afterChunks,
    does: field("does", readAct)
  }
}

const actKinds = ["silent", "delay", "error", "exit", "crash", "close output"] as const satisfies ReadonlyArray<
  FakeAct["kind"]
>

type ActMember = "ms" | "code" | "message" | "signal"

const actMembers: Readonly<Record<FakeAct["kind"], ReadonlyArray<ActMember>>> = {
  silent: [],
  delay: ["ms"],
  error: ["code", "message"],
  exit: ["code"],
  crash: ["signal"],
  "close output": []
}

const readAct: Read<FakeAct> = (value, at) => {
  const { kind, field } = openKind<FakeAct["kind"], ActMember>(value, at, { kinds: actKinds, members: actMembers })
  switch (kind) {
    case "delay":
      return { kind, ms: field("ms", milliseconds) }
    case "error":
      return { kind, code: field("code", signedCode), message: field("message", readText) }
    case "exit":
      return { kind, code: field("code", exitCode) }
    case "crash":
      return { kind, signal: field("signal", readSignal) }
    default:
      return { kind }
  }
}

const readSignal: Read<string> = (value, at) => {
  const name = readWord(value, at)
  return /^SIG[A-Z0-9]+$/.test(name) ? name : refuse(at, `is "${name}"; use the name of a signal, as in SIGSEGV`)
}

const readResponses: Read<ResponseFaults> = (value, at) => {
  const names = ["method", "idAs", "duplicate", "outOfOrder", "broken", "extraLines"] as const
  const field = openObject(value, at, names)
  return {
    method: field("method", orNull(readWord)),
    idAs: field("idAs", orElse(readOneOf(idForms), "sent")),
    duplicate: field("duplicate", orElse(readFlag, false)),
    outOfOrder: field("outOfOrder", orNull(readWord)),
    broken: field("broken", orNull(readOneOf(["both", "neither"]))),
    extraLines: field("extraLines", orElse(readList(readExtraLine), []))
  }
}

const readExtraLine: Read<ExtraLine> = (value, at) => {
  const field = openObject(value, at, ["at", "text"])
  return { at: field("at", readOneOf(["before", "after"])), text: field("text", readText) }
}
