import { statSync } from "node:fs"
import { delimiter, resolve } from "node:path"
import type { FoundProgram, StartSpec } from "../ports/process-port.ts"

/**
 * Looks for a working directory and a program. A bare name is looked for in the `PATH` that the program would get; a relative path
 * is one from the directory of this process, whatever the working directory will be.
 *
 * **Source** agent-harness.md, section 1.9.2
 *
 * @since 0.1.0
 * @category processes
 */
export const findProgram = ({ program, cwd, environment }: StartSpec): FoundProgram => {
  if (kindOf(resolve(cwd)) !== "directory") return { kind: "cwd missing" }
  const path = placesOf(program, environment).find((place) => kindOf(place) === "file")
  return path === undefined ? { kind: "program missing" } : { kind: "found", program: path }
}

const placesOf = (program: string, environment: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  if (/[\\/]/.test(program)) return [resolve(program)]
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "")
  return folders.flatMap((folder) => endings(environment).map((ending) => resolve(folder, program + ending)))
}

/** On Windows a program may be named without its ending. */
const endings = (environment: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  process.platform === "win32" ? ["", ...(environment["PATHEXT"] ?? ".EXE;.CMD").split(";")] : [""]

const kindOf = (path: string): "file" | "directory" | "none" => {
  try {
    return statSync(path).isDirectory() ? "directory" : "file"
  } catch {
    // Not there, too long for a name, or behind a folder that may not be read: nothing that could be used.
    return "none"
  }
}
