import { describe, isRecord, member } from "../../domain/json.ts"

/**
 * What the parameters of a `session/update` say. Nothing of it is refused: `faults` says what the schema would not allow.
 *
 * @since 0.1.0
 * @category models
 */
export interface SessionUpdate {
  /** `null` when it is no string. */
  readonly sessionId: string | null
  /** Its `sessionUpdate`, also one that the schema does not know; `null` when it is no string. */
  readonly kind: string | null
  /** The member `update` as it came. */
  readonly update: unknown
  /** The text of a chunk of the agent's message; `null` for anything else, and for an empty one. */
  readonly messageText: string | null
  readonly faults: ReadonlyArray<string>
}

/**
 * Reads the parameters of a `session/update`.
 *
 * **Fails** never
 * **Source** agent-harness.md, sections 2.1, 2.6 and 2.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const sessionUpdate = (params: unknown): SessionUpdate => {
  const sessionId = member(params, "sessionId")
  const update = member(params, "update")
  const kind = member(update, "sessionUpdate")
  const faults = typeof sessionId === "string" ? [] : [`sessionId is ${describe(sessionId)}, no string`]
  return {
    sessionId: typeof sessionId === "string" ? sessionId : null,
    kind: typeof kind === "string" ? kind : null,
    update,
    messageText: kind === "agent_message_chunk" ? textOf(member(update, "content")) : null,
    faults: [...faults, ...updateFaults(kind, update)]
  }
}

const textOf = (content: unknown): string | null => {
  const text = member(content, "text")
  return member(content, "type") === "text" && typeof text === "string" && text !== "" ? text : null
}

type Check = (update: unknown) => ReadonlyArray<string>

const updateFaults = (kind: unknown, update: unknown): ReadonlyArray<string> => {
  if (!isRecord(update)) return [`update is ${describe(update)}, no object`]
  if (typeof kind !== "string") return [`sessionUpdate is ${describe(kind)}, no string`]
  const check = Object.hasOwn(checks, kind) ? checks[kind] : undefined
  return check === undefined ? [`the schema has no update of kind ${JSON.stringify(kind)}`] : check(update)
}

/** Says which members are missing, or of another type. */
const has =
  (types: Readonly<Record<string, "string" | "number" | "array">>): Check =>
  (update) =>
    Object.entries(types).flatMap(([name, type]) => {
      const value = member(update, name)
      const isRight = type === "array" ? Array.isArray(value) : typeof value === type
      return isRight ? [] : [`${name} is ${describe(value)}, no ${type}`]
    })

const chunk: Check = (update) => {
  const content = member(update, "content")
  if (!isRecord(content)) return [`content is ${describe(content)}, no object`]
  const type = member(content, "type")
  if (typeof type !== "string") return [`the type of the content is ${describe(type)}, no string`]
  return type === "text" ? has({ text: "string" })(content) : []
}

/** The kinds of version 1, and what each has to have. */
const checks: Readonly<Record<string, Check | undefined>> = {
  user_message_chunk: chunk,
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  tool_call: has({ toolCallId: "string", title: "string" }),
  tool_call_update: has({ toolCallId: "string" }),
  plan: has({ entries: "array" }),
  available_commands_update: has({ availableCommands: "array" }),
  current_mode_update: has({ currentModeId: "string" }),
  config_option_update: has({ configOptions: "array" }),
  session_info_update: () => [],
  usage_update: has({ used: "number", size: "number" })
}
