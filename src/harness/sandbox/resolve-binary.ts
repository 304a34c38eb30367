import { filePathsOf } from "../../domain/file-paths.ts"
import { BinaryNotFound } from "../../domain/harness-errors.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { RunProgram } from "../../ports/run-program.ts"
import { variableOf } from "../environment/platform-variables.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { buildLocally } from "./build-locally.ts"
import { findInPackage } from "./find-in-package.ts"
import { findOnPath } from "./find-on-path.ts"
import { interpreterFor } from "./script-interpreter.ts"

/** Which of the five rules of section 1.2 found an executable. */
export type BinaryRule = 1 | 2 | 3 | 4 | 5

/** The executable of an agent. */
export interface ResolvedBinary {
  /** Absolute, whatever was asked for. */
  readonly path: string
  readonly rule: BinaryRule
  /** The rule in words, as in `GROK_BINARY` or `PATH`. */
  readonly because: string
  /** What the file has to be started with, an absolute path; `null` when it starts by itself. */
  readonly interpreter: string | null
}

/** What looking for an executable needs. */
export interface BinarySearch {
  readonly parent: ParentProcess
  readonly files: FilePort
  readonly run: RunProgram
  /** As in `leader`; without one the variables of roles are passed over. */
  readonly role?: string
  /** What runs this process, for agents that are scripts when `PATH` has no interpreter. */
  readonly ownInterpreter?: string
}

/**
 * Finds the executable of an agent by the first of five rules that applies: the variable of the role; the variables of
 * the profile; what a build system left, if it is there; the npm package and then `PATH`; a build made on demand.
 *
 * **Fails** with `BinaryNotFound` when a variable names a file that is not there (no other rule is tried then) or when
 * nothing was found, and with `BuildFailed`
 * **Source** agent-harness.md, section 1.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const resolveBinary = async (profile: AgentProfile, search: BinarySearch): Promise<ResolvedBinary> => {
  const found =
    (await byVariables(roleVariables(profile, search.role), { search, rule: 1 })) ??
    (await byVariables(profile.binary.env, { search, rule: 2 })) ??
    (await byBuildSystem(profile, search)) ??
    (await byInstallation(profile, search)) ??
    (await byLocalBuild(profile, search))
  if (found === null) throw new BinaryNotFound(notFoundText(profile, search), { path: null })
  return { ...found, interpreter: await interpreterFor(found.path, profile.binary.interpreter, search) }
}

type Found = Omit<ResolvedBinary, "interpreter">

const roleVariables = ({ binary }: AgentProfile, role: string | undefined): ReadonlyArray<string> => {
  const variable = role !== undefined && Object.hasOwn(binary.roleEnv, role) ? binary.roleEnv[role] : undefined
  return variable === undefined ? [] : [variable]
}

/** A variable that is set is believed: what it names must be there. An empty one counts as unset. */
const byVariables = async (
  names: ReadonlyArray<string>,
  { search, rule }: { readonly search: BinarySearch; readonly rule: 1 | 2 }
): Promise<Found | null> => {
  for (const name of names) {
    const asked = variableOf(search.parent, name) ?? ""
    if (asked === "") continue
    const path = absolute(search, asked)
    const stat = await search.files.stat(path)
    if (stat === null) throw new BinaryNotFound(`${name} does not exist: ${asked}`, { path: asked })
    if (stat.kind === "folder")
      throw new BinaryNotFound(`${name} is a folder, not a program: ${asked}`, { path: asked })
    return { path, rule, because: name }
  }
  return null
}

/** A build system may leave a path that is stale; that is no error. */
const byBuildSystem = async ({ binary }: AgentProfile, search: BinarySearch): Promise<Found | null> => {
  for (const name of binary.buildEnv) {
    const asked = variableOf(search.parent, name) ?? ""
    if (asked === "") continue
    const path = absolute(search, asked)
    if ((await search.files.stat(path))?.kind === "file") return { path, rule: 3, because: name }
  }
  return null
}

const byInstallation = async ({ binary }: AgentProfile, search: BinarySearch): Promise<Found | null> => {
  if (binary.package !== null) {
    const path = await findInPackage(binary.package, search)
    if (path !== null) return { path, rule: 4, because: `the package ${binary.package.name}` }
  }
  if (binary.command === null) return null
  const path = await findOnPath(binary.command, search)
  return path === null ? null : { path, rule: 4, because: `${binary.command} on PATH` }
}

const byLocalBuild = async ({ binary }: AgentProfile, search: BinarySearch): Promise<Found | null> => {
  if (binary.localBuild === null) return null
  const path = await buildLocally(binary.localBuild, search)
  return { path, rule: 5, because: "a build made on demand" }
}

const absolute = ({ parent }: BinarySearch, path: string): string =>
  filePathsOf(parent.platform).resolve(parent.cwd, path)

const notFoundText = (profile: AgentProfile, { role }: BinarySearch): string => {
  const { binary, displayName } = profile
  const unset = [...roleVariables(profile, role), ...binary.env]
  const tried = [
    ...unset.map((name) => `${name} is not set`),
    ...binary.buildEnv.map((name) => `${name} names no file`),
    ...(binary.package === null ? [] : [`the package ${binary.package.name} is not installed here`]),
    ...(binary.command === null ? [] : [`there is no ${binary.command} on PATH`])
  ]
  const [variable] = unset
  const ways = [
    ...(variable === undefined ? [] : [`set ${variable} to its path`]),
    ...(binary.package === null ? [] : [`run \`npm install -D ${binary.package.name}\``])
  ]
  const advice = ways.length === 0 ? "" : `; ${ways.join(", or ")}`
  return `the program of ${displayName} was not found: ${tried.join(", ")}${advice}`
}
