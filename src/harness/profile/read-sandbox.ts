import { openObject, orElse, type Read, readList, readText, readWord, refuse } from "../../domain/field-readers.ts"
import { filePathsOf } from "../../domain/file-paths.ts"
import type { ProfileSandbox } from "./agent-profile.ts"
import { readMap, readTemplate, readVariable } from "./field-readers.ts"
import { sandboxPlaceholders } from "./template.ts"

/** Reads `sandbox`. */
export const readSandbox: Read<ProfileSandbox> = (value, at) => {
  const field = openObject(value, at, ["homeEnv", "stateDir", "killSwitches", "forbidden"])
  return {
    homeEnv: field("homeEnv", orElse(readMap(readTemplate(sandboxPlaceholders)), {})),
    stateDir: field("stateDir", readFolderBelow("the home directory")),
    killSwitches: field("killSwitches", orElse(readMap(readText), {})),
    forbidden: field("forbidden", orElse(readList(readVariable), []))
  }
}

/** A relative path that stays below the folder it begins in, and is not that folder. */
export const readFolderBelow =
  (folder: string): Read<string> =>
  (value, at) => {
    const path = readWord(value, at)
    for (const platform of ["linux", "win32"]) {
      const { isAbsolute, isWithin, join, separator } = filePathsOf(platform)
      const root = `${separator}root`
      const isBelow = !isAbsolute(path) && !/^[A-Za-z]:/.test(path) && isWithin(root, join(root, path))
      if (!isBelow || join(root, path) === root) refuse(at, `is "${path}"; use a path below ${folder}, as in .agent`)
    }
    return path
  }
