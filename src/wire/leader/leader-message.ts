import { isRecord, member } from "../../domain/json.ts"
import type { JsonObject } from "../json.ts"

/** Why a leader goes, in its words: `auto_update`, `idle_timeout` or `manual`, or another. */
export interface LeaderLeaving {
  readonly reason: string
  readonly delayMs: number | null
}

/** What a leader said it is when it took a client in. */
export interface LeaderIntroduction {
  readonly clientId: unknown
  /** Whether the agent behind it can be spoken to. */
  readonly isReady: boolean
  /** `null` where it did not say. */
  readonly protocolVersion: number | null
  readonly binaryVersion: string | null
  readonly capabilities: JsonObject
}

/** What came of a command. A code may be a number or a word. */
export type ControlOutcome =
  | { readonly kind: "ok"; readonly payload: unknown }
  | { readonly kind: "error"; readonly code: number | string; readonly message: string; readonly details: unknown }

/**
 * What a leader says to its clients. `unknown` is a message of a type that is not known here.
 *
 * @since 0.1.0
 * @category models
 */
export type LeaderMessage =
  | { readonly kind: "registered"; readonly introduction: LeaderIntroduction }
  | { readonly kind: "ready" }
  | { readonly kind: "acp"; readonly payload: string }
  | { readonly kind: "control result"; readonly requestId: string; readonly outcome: ControlOutcome }
  | { readonly kind: "pong" }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  | { readonly kind: "shutting down"; readonly leaving: LeaderLeaving }
  | { readonly kind: "shutdown" }
  | { readonly kind: "unknown"; readonly type: string; readonly message: JsonObject }

/** A body that is no message: which rule it breaks, and its text. */
export interface BrokenMessage {
  readonly kind: "broken"
  readonly rule: string
  readonly text: string
}

/**
 * Reads the body of a frame that a leader has sent. Fields that are not known are passed over.
 *
 * **Fails** never
 * **Source** agent-harness.md, section 5.1, "IPC messages"
 *
 * @since 0.1.0
 * @category encoding
 */
export const readLeaderMessage = (body: Uint8Array): LeaderMessage | BrokenMessage => {
  const text = tolerant.decode(body)
  const value = parsed(text)
  if (!isRecord(value)) return { kind: "broken", rule: "a message is a JSON object", text }
  const type = member(value, "type")
  if (typeof type !== "string") return { kind: "broken", rule: "a message has a type, which is a string", text }
  if (!Object.hasOwn(readers, type)) return { kind: "unknown", type, message: value }
  const message = readers[type]?.(value)
  return typeof message === "object" ? message : { kind: "broken", rule: message ?? `${type} is known`, text }
}

const tolerant = new TextDecoder()

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Readers of known types: the message, or the rule that it breaks. */
const readers: Readonly<Record<string, (message: JsonObject) => LeaderMessage | string>> = {
  registered: (message) => readRegistered(message),
  leader_ready: () => ({ kind: "ready" }),
  acp: ({ payload }) =>
    typeof payload === "string" ? { kind: "acp", payload } : "acp has a payload, which is a string",
  control_result: (message) => readControlResult(message),
  pong: () => ({ kind: "pong" }),
  error({ code, message }) {
    if (typeof code !== "number" || typeof message !== "string") return "error has a code and a message"
    return { kind: "error", code, message }
  },
  shutting_down({ reason, delay_ms: delayMs }) {
    if (typeof reason !== "string") return "shutting_down has a reason, which is a string"
    return { kind: "shutting down", leaving: { reason, delayMs: typeof delayMs === "number" ? delayMs : null } }
  },
  shutdown: () => ({ kind: "shutdown" })
}

const readRegistered = (message: JsonObject): LeaderMessage | string => {
  const { client_id: clientId, ready, leader_capabilities: capabilities } = message
  const { leader_protocol_version: protocolVersion, leader_binary_version: binaryVersion } = message
  if (clientId === undefined) return "registered has a client_id"
  if (ready !== undefined && typeof ready !== "boolean") return "ready of registered is true or false"
  return {
    kind: "registered",
    introduction: {
      clientId,
      isReady: ready ?? true,
      protocolVersion: typeof protocolVersion === "number" ? protocolVersion : null,
      binaryVersion: typeof binaryVersion === "string" ? binaryVersion : null,
      capabilities: isRecord(capabilities) ? capabilities : {}
    }
  }
}

const readControlResult = ({ request_id: requestId, result }: JsonObject): LeaderMessage | string => {
  if (typeof requestId !== "string") return "control_result has a request_id, which is a string"
  if (!isRecord(result)) return "control_result has a result, which is an object"
  if (Object.hasOwn(result, "Ok")) {
    return { kind: "control result", requestId, outcome: { kind: "ok", payload: result["Ok"] } }
  }
  const failure = member(result, "Err")
  const [code, message] = [member(failure, "code"), member(failure, "message")]
  if ((typeof code !== "number" && typeof code !== "string") || typeof message !== "string") {
    return "the result of a command is Ok, or Err with a code and a message"
  }
  return {
    kind: "control result",
    requestId,
    outcome: { kind: "error", code, message, details: member(failure, "details") }
  }
}
