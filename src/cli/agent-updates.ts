import { clip } from "../domain/clip.ts"
import { member } from "../domain/json.ts"
import type { PermissionAnswer, PermissionRequest } from "../harness/session/permission-policy.ts"
import { visibleText } from "../report/visible-text.ts"
import type { SessionUpdate } from "../wire/acp/session-update.ts"

/** What an update comes to for people: words of the agent, or a line about what it does. */
export type Said = { readonly kind: "words" | "note"; readonly text: string }

/** Reads the updates of one session in their order. */
export interface UpdateReader {
  read(update: Pick<SessionUpdate, "kind" | "update" | "messageText">): ReadonlyArray<Said>
  /** What the reader still had for itself: a thought that nothing has followed. */
  rest(): ReadonlyArray<Said>
}

/** So much of a title, a thought or an output is shown; so much of a thought is kept; so many titles are remembered. */
const shownMax = 200
const thoughtMax = 4_096
const toolsMax = 1_000

interface ToolCall {
  readonly title: string
  readonly status: string
}

/**
 * A tool call is told when it begins and when its status has changed, a thought as a whole, a plan by its numbers; what else an agent
 * tells of itself is passed over.
 *
 * @since 0.1.0
 * @category constructors
 */
export const readUpdates = (): UpdateReader => {
  const tools = new Map<string, ToolCall>()
  let thought = ""

  const rest = (): ReadonlyArray<Said> => {
    const text = thought.trim()
    thought = ""
    return text === "" ? [] : [note(`thought: ${shown(text)}`)]
  }
  const toolCall = (update: unknown): ReadonlyArray<Said> => {
    const id = textOf(update, "toolCallId")
    const before = tools.get(id)
    const title = textOf(update, "title") || (before?.title ?? id)
    const status = textOf(update, "status") || (before?.status ?? "pending")
    if (tools.size < toolsMax || before !== undefined) tools.set(id, { title, status })
    if (before?.status === status) return []
    const output = status === "completed" || status === "failed" ? outputOf(update) : ""
    return [note(`tool ${shown(title)}: ${shown(status)}${output === "" ? "" : `: ${shown(output)}`}`)]
  }
  return {
    read({ kind, update, messageText }) {
      if (kind === "agent_thought_chunk") {
        if (thought.length < thoughtMax) thought += textOf(member(update, "content"), "text")
        return []
      }
      if (kind === "agent_message_chunk") {
        const type = textOf(member(update, "content"), "type")
        const said: ReadonlyArray<Said> =
          messageText !== null
            ? [{ kind: "words", text: messageText }]
            : type === "text"
              ? []
              : [note(`says ${shown(type)}`)]
        return [...rest(), ...said]
      }
      if (kind === "tool_call" || kind === "tool_call_update") return [...rest(), ...toolCall(update)]
      if (kind === "plan") return [...rest(), ...planOf(update)]
      return []
    },
    rest
  }
}

const note = (text: string): Said => ({ kind: "note", text })

const shown = (text: string): string => clip(visibleText(text.trim()), shownMax)

const textOf = (value: unknown, name: string): string => {
  const found = member(value, name)
  return typeof found === "string" ? found : ""
}

/** The texts that a tool call gives as its content. */
const outputOf = (update: unknown): string => {
  const content = member(update, "content")
  if (!Array.isArray(content)) return ""
  return content
    .map((part) => textOf(member(part, "content"), "text"))
    .filter((text) => text !== "")
    .join(" ")
}

const planOf = (update: unknown): ReadonlyArray<Said> => {
  const entries = member(update, "entries")
  if (!Array.isArray(entries)) return []
  const done = entries.filter((entry) => member(entry, "status") === "completed").length
  return [note(`plan: ${done} of ${entries.length} done`)]
}

/** What an agent asks permission for, in a few words. @since 0.1.0 @category encoding */
export const askedFor = ({ toolCall }: PermissionRequest): string =>
  shown(textOf(toolCall, "title") || textOf(toolCall, "toolCallId")) || "something without a title"

/** An answer as the agent had offered it. @since 0.1.0 @category encoding */
export const answeredWith = ({ options }: PermissionRequest, answer: PermissionAnswer): string => {
  if (answer === "cancelled") return "cancelled"
  const option = options.find(({ optionId }) => optionId === answer.optionId)
  if (option === undefined) return shown(answer.optionId)
  return option.name === "" ? shown(option.kind) : `${shown(option.name)} (${shown(option.kind)})`
}
