import { isRecord, member } from "../../../domain/json.ts"
import type { SseEvent } from "../../../domain/sse-event.ts"
import type { EventRole, FaultFormat, VoiceEvent } from "../voice.ts"

/**
 * What an event is to its stream, from its payload; from its name where the payload says nothing. What is no JSON counts
 * as a piece, for it takes the place of one; what nobody knows counts as opening, as a ping does.
 *
 * **Takes** an event of the format, of whatever voice
 * **Fails** never
 *
 * @since 0.1.0
 * @category models
 */
export const eventRole = (format: FaultFormat, event: SseEvent): EventRole => {
  if (event.comment !== undefined) return "opening"
  if (event.data === "[DONE]") return "last"
  return roleOf[format](jsonOf(event.data), event.event)
}

/**
 * The same event with its role.
 *
 * @since 0.1.0
 * @category constructors
 */
export const withRole = (format: FaultFormat, event: SseEvent): VoiceEvent => ({
  ...event,
  role: eventRole(format, event)
})

/**
 * The same events, each with its role.
 *
 * @since 0.1.0
 * @category constructors
 */
export const withRoles = (format: FaultFormat, events: ReadonlyArray<SseEvent>): ReadonlyArray<VoiceEvent> =>
  events.map((event) => withRole(format, event))

type RoleOf = (payload: unknown, name: string | null) => EventRole

const chatRole: RoleOf = (payload) => {
  if (isTruthy(member(payload, "error"))) return "last"
  const choices = member(payload, "choices")
  if (!Array.isArray(choices)) return payload === undefined ? "delta" : "opening"
  if (choices.length === 0 || choices.some((choice) => typeof member(choice, "finish_reason") === "string")) {
    return "finish"
  }
  return choices.every(isRoleOnly) ? "opening" : "delta"
}

const responsesRole: RoleOf = (payload, name) => {
  const type = typeOf(payload, name)
  if (responsesEnds.has(type)) return "last"
  if (type.endsWith(".delta")) return "delta"
  if (type.endsWith(".done")) return "closing"
  return payload === undefined && type === "" ? "delta" : "opening"
}

const messagesRole: RoleOf = (payload, name) => {
  const type = typeOf(payload, name)
  if (type === "content_block_delta") {
    return member(member(payload, "delta"), "type") === "signature_delta" ? "closing" : "delta"
  }
  return messagesRoles.get(type) ?? (payload === undefined && type === "" ? "delta" : "opening")
}

const roleOf: Readonly<Record<FaultFormat, RoleOf>> = {
  chat: chatRole,
  responses: responsesRole,
  messages: messagesRole
}

const responsesEnds: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error"
])

const messagesRoles: ReadonlyMap<string, EventRole> = new Map([
  ["content_block_stop", "closing"],
  ["message_delta", "finish"],
  ["message_stop", "last"],
  ["error", "last"]
])

/** A delta that has a role and nothing to read. Announced calls are something to read. */
const isRoleOnly = (choice: unknown): boolean => {
  const delta = member(choice, "delta")
  if (!isRecord(delta)) return false
  return Object.entries(delta).every(([key, value]) => key === "role" || !isTruthy(value))
}

const isTruthy = (value: unknown): boolean => Boolean(value)

const typeOf = (payload: unknown, name: string | null): string => {
  const type = member(payload, "type")
  return typeof type === "string" ? type : (name ?? "")
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
