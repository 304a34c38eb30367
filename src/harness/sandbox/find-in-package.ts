import { filePathsOf } from "../../domain/file-paths.ts"
import { member } from "../../domain/json.ts"
import type { ProfileBinary } from "../profile/agent-profile.ts"
import type { PathSearch } from "./find-on-path.ts"

/**
 * A program of an npm package that is installed in the project of the test, or in a folder above it, or is that project. Nothing
 * is downloaded.
 *
 * **Gives** an absolute path, or `null` when the package is not there, or has no such program
 *
 * @since 0.1.0
 * @category constructors
 */
export const findInPackage = async (
  { name, bin }: NonNullable<ProfileBinary["package"]>,
  { parent, files }: PathSearch
): Promise<string | null> => {
  const { join, isWithin } = filePathsOf(parent.platform)
  for (const folder of foldersAbove(parent.platform, parent.cwd)) {
    const found = await packageIn(folder, { name, parent, files })
    if (found === null) continue
    const { installed, manifest } = found
    const relative = programOf(manifest, { name, bin })
    const path = relative === null ? null : join(installed, relative)
    if (path === null || !isWithin(installed, path)) return null
    return (await files.stat(path))?.kind === "file" ? path : null
  }
  return null
}

/** The package in a folder of a project: what is installed there, or the project itself if it is named so. */
const packageIn = async (
  folder: string,
  { name, parent, files }: PathSearch & { readonly name: string }
): Promise<{ readonly installed: string; readonly manifest: string } | null> => {
  const { join } = filePathsOf(parent.platform)
  for (const installed of [join(folder, "node_modules", name), folder]) {
    const path = join(installed, "package.json")
    if ((await files.stat(path))?.kind !== "file") continue
    const manifest = await files.readText(path)
    if (installed !== folder || member(parse(manifest), "name") === name) return { installed, manifest }
  }
  return null
}

const foldersAbove = (platform: string, folder: string): ReadonlyArray<string> => {
  const above = filePathsOf(platform).folderOf(folder)
  return above === folder || above === "." ? [folder] : [folder, ...foldersAbove(platform, above)]
}

/** A manifest has one program, named like the package, or several by name. */
const programOf = (manifest: string, { name, bin }: { readonly name: string; readonly bin: string }): string | null => {
  const programs = member(parse(manifest), "bin")
  const isOnlyOne = typeof programs === "string" && name.replace(/^@[^/]*\//, "") === bin
  const path = isOnlyOne ? programs : member(programs, bin)
  return typeof path === "string" ? path : null
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
