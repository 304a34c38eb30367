import { ProfileInvalid } from "../../domain/harness-errors.ts"
import { suggestion } from "../../domain/spelling.ts"
import type { AgentProfile, HeadlessFormat, ProfileHeadless } from "./agent-profile.ts"
import { fillTemplate } from "./template.ts"

/** What stands for `{home}`, `{stateDir}`, `{workspace}` and `{temp}`. */
export type SandboxValues = Readonly<Record<"home" | "stateDir" | "workspace" | "temp", string>>

/**
 * Arguments that start an agent in ACP mode, with global flags of the caller before or after its own.
 *
 * **Fails** with `ProfileInvalid` for an agent that does not speak ACP
 * **Source** agent-harness.md, sections 1.1 and 2.3
 *
 * @since 0.1.0
 * @category models
 */
export const acpArguments = (
  profile: AgentProfile,
  options: { readonly values: SandboxValues; readonly leadingArgs?: ReadonlyArray<string> }
): ReadonlyArray<string> => {
  const { acp, displayName } = profile
  if (acp === null) throw new ProfileInvalid(`${displayName} does not speak ACP`, { field: "acp" })
  const own = acp.args.map((arg) => fillTemplate(arg, options.values))
  const leading = options.leadingArgs ?? []
  return acp.leadingArgsPosition === "before" ? [...leading, ...own] : [...own, ...leading]
}

/** A prompt, and how it is to be run; what is left out is as the profile has it. */
export interface PromptAsked {
  readonly prompt: string
  readonly format?: string
  readonly model?: string
  readonly cwd: string
}

/**
 * Arguments that run one prompt, and what the output will look like.
 *
 * **Fails** with `ProfileInvalid` for an agent without headless mode, an unknown format, or a model that no argument takes
 * **Source** agent-harness.md, sections 1.1 and 4.1
 *
 * @since 0.1.0
 * @category models
 */
export const headlessArguments = (
  profile: AgentProfile,
  { prompt, cwd, ...asked }: PromptAsked
): { readonly args: ReadonlyArray<string>; readonly format: HeadlessFormat } => {
  const { headless, displayName } = profile
  if (headless === null) throw new ProfileInvalid(`${displayName} has no headless mode`, { field: "headless" })
  const format = formatOf(headless, asked.format ?? headless.defaultFormat, displayName)
  const templates = format.args ?? headless.args
  if (asked.model !== undefined && !templates.some((template) => template.includes("{model}"))) {
    throw new ProfileInvalid(`${displayName} takes no model as an argument; leave it out`, { field: "headless.args" })
  }
  const values = { prompt, cwd, format: format.value, model: asked.model ?? headless.defaultModel ?? "" }
  return { args: templates.map((template) => fillTemplate(template, values)), format }
}

const formatOf = ({ formats }: ProfileHeadless, name: string, displayName: string): HeadlessFormat => {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format !== undefined) return format
  const names = Object.keys(formats)
  const help = suggestion(name, names) || `; it has ${names.join(", ")}`
  throw new ProfileInvalid(`${displayName} has no format "${name}"${help}`, { field: "headless.formats" })
}
