import { filePathsOf } from "../../domain/file-paths.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import { variableOf } from "../environment/platform-variables.ts"

/** Where programs are looked for. */
export interface PathSearch {
  readonly parent: ParentProcess
  readonly files: FilePort
}

const endingsByDefault = ".COM;.EXE;.BAT;.CMD"

/**
 * The first program of a name on `PATH`, as an absolute path; `null` when there is none. An empty entry, which shells
 * take for the working directory, is passed over.
 *
 * @since 0.1.0
 * @category constructors
 */
export const findOnPath = async (command: string, { parent, files }: PathSearch): Promise<string | null> => {
  const { delimiter, join, resolve } = filePathsOf(parent.platform)
  const folders = (variableOf(parent, "PATH") ?? "").split(delimiter).filter((folder) => folder !== "")
  for (const folder of folders) {
    for (const ending of endings(parent)) {
      const path = resolve(parent.cwd, join(folder, `${command}${ending}`))
      const stat = await files.stat(path)
      if (stat?.kind === "file" && stat.isExecutable) return path
    }
  }
  return null
}

const endings = (parent: ParentProcess): ReadonlyArray<string> =>
  parent.platform === "win32" ? ["", ...(variableOf(parent, "PATHEXT") ?? endingsByDefault).split(";")] : [""]
