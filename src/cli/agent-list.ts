import { isHarnessError } from "../domain/harness-error.ts"
import type { AgentProfile, MockWire, Trial } from "../harness/profile/agent-profile.ts"
import { builtInProfile, builtInProfileIds } from "../harness/profile/built-in-profiles.ts"
import { resolveBinary } from "../harness/sandbox/resolve-binary.ts"
import { liveFiles } from "../live/files.ts"
import { agentParent } from "./agent-parent.ts"
import { say } from "./command.ts"
import type { CommandIo } from "./command-io.ts"

/** One built-in profile, as `--list --json` tells it. */
export interface ListedProfile {
  readonly id: string
  /** How it was tried; `null` for a mode that the agent does not have. */
  readonly acp: Trial | null
  readonly headless: Trial | null
  /** The formats of headless runs, the one that is used when none is asked for first. */
  readonly formats: ReadonlyArray<string>
  readonly hasLeader: boolean
  /** What it speaks with its model provider. */
  readonly wires: ReadonlyArray<MockWire>
  /** The version that was tried or read about; empty when unknown. */
  readonly version: string
  readonly note: string
  /** Where its program was found, and by what; `null` when it was not. */
  readonly program: { readonly path: string; readonly because: string } | null
  /** How to have it; `null` when it is there. */
  readonly advice: string | null
}

/**
 * Shows the built-in profiles; gives the exit code.
 *
 * @since 0.1.0
 * @category running
 */
export const listAgents = async (io: CommandIo, { isJson }: { readonly isJson: boolean }): Promise<number> => {
  const profiles: Array<ListedProfile> = []
  for (const id of builtInProfileIds) profiles.push(await listed(builtInProfile(id), io))
  const text = isJson ? JSON.stringify({ type: "agents", profiles }) : profiles.flatMap(blockOf).join("\n")
  return say(io, `${text}\n`)
}

const listed = async (profile: AgentProfile, io: CommandIo): Promise<ListedProfile> => {
  const { id, tried, acp, headless, leader, mock } = profile
  const formats = headless === null ? [] : Object.keys(headless.formats)
  return {
    id,
    acp: acp === null ? null : tried.acp,
    headless: headless === null ? null : tried.headless,
    formats: [...formats].sort((left, right) => Number(isDefault(profile, right)) - Number(isDefault(profile, left))),
    hasLeader: leader !== null,
    wires: mock.wire,
    version: tried.version,
    note: tried.note,
    ...(await findProgram(profile, io))
  }
}

const isDefault = ({ headless }: AgentProfile, format: string): boolean => headless?.defaultFormat === format

const findProgram = async (
  profile: AgentProfile,
  io: CommandIo
): Promise<Pick<ListedProfile, "program" | "advice">> => {
  // A list builds nothing.
  const found = { ...profile, binary: { ...profile.binary, localBuild: null } }
  const run = () => Promise.reject(new Error("a list runs nothing"))
  try {
    const { path, because } = await resolveBinary(found, { parent: agentParent(io), files: liveFiles, run })
    return { program: { path, because }, advice: null }
  } catch (error) {
    if (!isHarnessError(error, "BinaryNotFound")) throw error
    const isWrong = "path" in error && error.path !== null
    return { program: null, advice: isWrong ? error.message : waysToHave(profile) }
  }
}

/** How the program of an agent is had where it is not. */
const waysToHave = ({ binary }: AgentProfile): string => {
  const [variable] = binary.env
  const ways = [
    ...(variable === undefined ? [] : [`set ${variable} to its path`]),
    ...(binary.package === null ? [] : [`npm install -D ${binary.package.name} (for all folders: -g)`])
  ]
  return ways.length === 0 ? `put ${binary.command ?? "it"} on PATH` : ways.join(", or ")
}

const wireWords: Readonly<Record<MockWire, string>> = {
  ChatCompletions: "Chat Completions",
  Responses: "Responses",
  Messages: "Messages",
  Gemini: "Gemini"
}

const width = Math.max(...builtInProfileIds.map((id) => id.length)) + 2

const blockOf = ({ id, acp, headless, hasLeader, wires, version, note, formats, program, advice }: ListedProfile) => {
  const modes = [
    ...(acp === null ? [] : [`ACP (${trialWords[acp]})`]),
    ...(headless === null ? [] : [`headless (${trialWords[headless]}: ${formats.join(", ")})`]),
    ...(hasLeader ? ["leader"] : [])
  ]
  const lines = [
    modes.join(", "),
    `${version === "" ? "" : `version ${version}, `}speaks ${wires.map((wire) => wireWords[wire]).join(", ")}`,
    program === null ? `not found: ${advice}` : `${program.path} (${program.because})`,
    ...(note === "" ? [] : [note])
  ]
  return lines.map((line, index) => `${(index === 0 ? id : "").padEnd(width)}${line}`)
}

const trialWords: Readonly<Record<Trial, string>> = {
  "real run": "tried",
  "documentation only": "from its documentation",
  none: "not tried"
}
