import {
  defaultAnswer,
  type PermissionAnswer,
  type PermissionOption,
  type PermissionRequest
} from "../harness/session/permission-policy.ts"
import { visibleText } from "../report/visible-text.ts"
import type { PermissionAnswers } from "./agent-options.ts"
import type { AgentTell } from "./agent-tell.ts"
import { askedFor } from "./agent-updates.ts"
import type { PromptLines } from "./prompt-lines.ts"

/** Answers requests for permission, at once or when a person has. The signal says that the turn is over. */
export type PermissionAnswerer = (
  request: PermissionRequest,
  signal: AbortSignal
) => PermissionAnswer | Promise<PermissionAnswer>

/** @since 0.1.0 @category constructors */
export const permissionAnswerer = (
  how: PermissionAnswers,
  person: { readonly tell: AgentTell; readonly lines: PromptLines | null }
): PermissionAnswerer => {
  const { tell, lines } = person
  if (how === "reject") return rejection
  if (how === "allow" || lines === null) return defaultAnswer
  return (request, signal) => askPerson(request, { tell, lines, signal })
}

/** The first option that rejects; without one no option at all. */
const rejection = ({ options }: PermissionRequest): PermissionAnswer => {
  const chosen = options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => /^reject/.test(kind))
  return chosen === undefined ? "cancelled" : { optionId: chosen.optionId }
}

const askPerson = async (
  request: PermissionRequest,
  { tell, lines, signal }: { readonly tell: AgentTell; readonly lines: PromptLines; readonly signal: AbortSignal }
): Promise<PermissionAnswer> => {
  tell.line(`the agent asks for permission: ${askedFor(request)}`)
  for (const [index, option] of request.options.entries())
    tell.line(`  ${index + 1}  ${visibleText(option.name)} (${visibleText(option.kind)})`)
  for (;;) {
    tell.ask(`a number, or nothing to cancel? `)
    const line = await lines.next(signal)
    if (line === null || line.trim() === "") return "cancelled"
    const chosen = optionOf(request.options, line.trim())
    if (chosen !== undefined) return { optionId: chosen.optionId }
    tell.line(`there is no answer ${JSON.stringify(line.trim())}; give a number from 1 to ${request.options.length}`)
  }
}

/** By its number, its kind or its id. */
const optionOf = (options: ReadonlyArray<PermissionOption>, word: string): PermissionOption | undefined =>
  options.find((_, index) => String(index + 1) === word) ??
  options.find(({ kind, optionId }) => kind === word || optionId === word)
