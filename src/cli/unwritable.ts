import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { hasCode } from "../domain/error-like.ts"

/** Why a file could not be written, in words where the folder is missing. */
export const unwritableText = (path: string, error: unknown): string => {
  const folder = dirname(resolve(path))
  if (hasCode(error, "ENOENT") && !existsSync(folder)) return `there is no folder ${folder}`
  return error instanceof Error ? error.message : String(error)
}
