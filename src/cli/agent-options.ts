import { delayMsMax } from "../domain/durations.ts"
import { commonOptions } from "./command.ts"
import { oneOf, someText, wholeNumber } from "./option-readers.ts"
import type { GivenOptions, Operand, OptionReading, OptionTable } from "./option-table.ts"

/** How requests for permission are answered. */
export const permissionAnswers = ["allow", "reject", "ask"] as const
export type PermissionAnswers = (typeof permissionAnswers)[number]

export const agentOperands: ReadonlyArray<Operand> = [
  {
    placeholder: "PROFILE",
    help: "a built-in profile (--list shows them), or the path of a JSON file that holds one",
    isOptional: true
  }
]

const anyText = (text: string): OptionReading<string> => ({ value: text })

const assignment = (text: string): OptionReading<readonly [name: string, value: string]> => {
  const at = text.indexOf("=")
  if (at < 1) return { problem: `is ${JSON.stringify(text)}; give a variable as NAME=VALUE` }
  return { value: [text.slice(0, at), text.slice(at + 1)] }
}

/** The options of `understudy agent`. */
export const agentOptions = {
  list: { kind: "flag", help: "show the built-in profiles, how far each was tried, and where its program is" },
  prompt: { kind: "value", placeholder: "TEXT", help: "what to say; without --acp in a headless run", read: anyText },
  acp: { kind: "flag", help: "speak ACP: one turn with --prompt, else a session in which each line is a prompt" },
  scenario: {
    kind: "value",
    placeholder: "FILE",
    help: "what the mock answers, as YAML or JSON (default: echo the last user message)",
    read: someText("the path of a YAML or JSON file"),
    claims: (word) => /\.ya?ml$/i.test(word)
  },
  format: {
    kind: "value",
    placeholder: "NAME",
    help: "of a headless run: a format of the profile (text, json, ndjson, ...), printed as it came",
    read: someText("the name of a format, for example json")
  },
  model: { kind: "value", placeholder: "ID", help: "the model to ask for", read: someText("the id of a model") },
  permissions: {
    kind: "value",
    placeholder: permissionAnswers.join("|"),
    help: "what the agent hears when it asks for permission over ACP (default allow)",
    read: oneOf(permissionAnswers)
  },
  timeout: {
    kind: "value",
    placeholder: "MS",
    help: "limit of a headless run, or of each turn and call before it over ACP (see below)",
    read: wholeNumber({ least: 1, most: delayMsMax })
  },
  cwd: {
    kind: "value",
    placeholder: "DIR",
    help: "where the agent runs (default: the workspace of its sandbox)",
    read: someText("the path of a folder")
  },
  git: { kind: "flag", help: "make the workspace a git repository with one commit" },
  env: {
    kind: "value",
    placeholder: "NAME=VALUE",
    help: "a variable for the agent; may be repeated",
    read: assignment
  },
  "agent-arg": {
    kind: "value",
    placeholder: "ARG",
    help: "one more argument for the agent, as in --agent-arg=-x; may be repeated",
    read: anyText
  },
  keep: { kind: "flag", help: "leave the sandbox where it is, and say where" },
  trace: {
    kind: "value",
    placeholder: "FILE",
    help: "append all that happens to a file, one JSON line each",
    read: someText("the path of a file, which need not exist")
  },
  json: { kind: "flag", help: "the result as one JSON line on stdout, and nothing else there" },
  ...commonOptions
} as const satisfies OptionTable

/** What `agent` was asked to do with an agent. */
export interface AgentAsked {
  /** The id of a built-in profile, or the path of a file. */
  readonly profile: string
  /** `null` for lines of standard input, which only ACP takes. */
  readonly prompt: string | null
  readonly isAcp: boolean
  readonly scenario: string | undefined
  readonly format: string | undefined
  readonly model: string | undefined
  readonly permissions: PermissionAnswers
  /** `undefined` where nothing was said. */
  readonly timeoutMs: number | undefined
  readonly cwd: string | undefined
  readonly git: boolean
  readonly env: Readonly<Record<string, string>>
  readonly agentArgs: ReadonlyArray<string>
  readonly keep: boolean
  readonly trace: string | undefined
  readonly isJson: boolean
}

/** The options with their defaults filled in. */
export const toAgentAsked = (given: GivenOptions): AgentAsked => ({
  profile: given.operands[0] ?? "",
  prompt: given.value(agentOptions.prompt) ?? null,
  isAcp: given.has(agentOptions.acp),
  scenario: given.value(agentOptions.scenario),
  format: given.value(agentOptions.format),
  model: given.value(agentOptions.model),
  permissions: given.value(agentOptions.permissions) ?? "allow",
  timeoutMs: given.value(agentOptions.timeout),
  cwd: given.value(agentOptions.cwd),
  git: given.has(agentOptions.git),
  env: Object.fromEntries(given.values(agentOptions.env)),
  agentArgs: given.values(agentOptions["agent-arg"]),
  keep: given.has(agentOptions.keep),
  trace: given.value(agentOptions.trace),
  isJson: given.has(agentOptions.json)
})

/** What is wrong in the combination. */
export const checkAgentOptions = (given: GivenOptions): ReadonlyArray<string> => {
  if (given.has(agentOptions.list)) return strangersTo(given, "--list", ["list", "json"])
  if (given.operands.length === 0)
    return ["PROFILE is missing: name a built-in profile (--list shows them) or a JSON file"]
  const isAcp = given.has(agentOptions.acp)
  return [
    ...(isAcp || given.has(agentOptions.prompt)
      ? []
      : ["nothing to say: give --prompt TEXT, or --acp to type prompts"]),
    ...(isAcp && given.has(agentOptions.format) ? ["--format is for headless runs; leave out --acp"] : []),
    ...(!isAcp && given.has(agentOptions.permissions)
      ? ["--permissions is for ACP, the only mode that asks; add --acp"]
      : []),
    ...(given.has(agentOptions.cwd) && given.has(agentOptions.git)
      ? ["--git is about the workspace of the sandbox; leave out --cwd"]
      : [])
  ]
}

const strangersTo = (given: GivenOptions, option: string, allowed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const others = Object.entries(agentOptions).filter(([name, row]) => given.has(row) && !allowed.includes(name))
  const words = [...given.operands.map((word) => JSON.stringify(word)), ...others.map(([name]) => `--${name}`)]
  return words.length === 0 ? [] : [`${option} shows all profiles, and takes but --json; leave out ${words.join(", ")}`]
}
