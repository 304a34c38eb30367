import { filePathsOf } from "../../domain/file-paths.ts"
import type { ParentProcess, ProcessVariables } from "../../ports/parent-process.ts"
import type { TextMap } from "../profile/agent-profile.ts"

const allowedOnUnix = ["PATH", "LANG", "LC_ALL", "DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH", "GIT_BIN_PATH", "SHELL"]

const allowedOnWindows = ["PATH", "PATHEXT", "SystemRoot", "WINDIR", "ComSpec", "NUMBER_OF_PROCESSORS", "GIT_BIN_PATH"]

/** What a child is given of its parent's variables. Source: agent-harness.md, section 1.4.1. */
export const allowedVariables = (platform: string): ReadonlyArray<string> =>
  platform === "win32" ? allowedOnWindows : allowedOnUnix

/**
 * The variables that a child shares with its parent, and those that make git the one of the parent.
 *
 * **Source** agent-harness.md, sections 1.4.1 and 1.4.2
 *
 * @since 0.1.0
 * @category models
 */
export const platformVariables = (parent: ParentProcess): TextMap => {
  const shared = allowedVariables(parent.platform).flatMap((name): ReadonlyArray<[string, string]> => {
    const value = variableOf(parent, name)
    return value === undefined ? [] : [[name, value]]
  })
  const shell: TextMap = parent.platform === "win32" ? {} : { SHELL: "/bin/sh" }
  return { ...shell, ...Object.fromEntries(shared), ...gitVariables(parent) }
}

/** A variable of the parent; Windows does not tell case apart. */
export const variableOf = (
  { platform, variables }: { readonly platform: string; readonly variables: ProcessVariables },
  name: string
): string | undefined => {
  if (Object.hasOwn(variables, name) || platform !== "win32") return own(variables, name)
  const found = Object.keys(variables).find((key) => key.toUpperCase() === name.toUpperCase())
  return found === undefined ? undefined : own(variables, found)
}

const own = (variables: ProcessVariables, name: string): string | undefined =>
  Object.hasOwn(variables, name) ? variables[name] : undefined

const gitVariables = (parent: ParentProcess): TextMap => {
  const { delimiter, folderOf, resolve } = filePathsOf(parent.platform)
  const asked = variableOf(parent, "GIT_BIN_PATH")
  if (asked === undefined || asked === "") return {}
  const binary = resolve(parent.cwd, asked)
  const folder = folderOf(binary)
  const inherited = variableOf(parent, "PATH") ?? ""
  const entries = inherited === "" ? [folder] : [folder, inherited]
  // A folder whose name holds the delimiter cannot be one entry among others.
  const path = folder.includes(delimiter) ? folder : entries.join(delimiter)
  return { GIT_BIN_PATH: binary, GIT_EXEC_PATH: folder, PATH: path }
}
