import { fileURLToPath } from "node:url"

/** The sources of this package, or its bundles. */
const ownFolder = new URL("..", import.meta.url)

/**
 * The frames of a stack that say something to people: none of Node and of this package.
 *
 * @since 0.1.0
 * @category errors
 */
export const userFrames = (stack: string): ReadonlyArray<string> => {
  const own = [ownFolder.href, fileURLToPath(ownFolder)]
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !/\(?node:/.test(line) && !own.some((folder) => line.includes(folder)))
}

/** Which place of a person's code is being run, as `FILE:LINE:COLUMN`; `null` where the stack does not say. */
export const userPlace = (): string | null => {
  const [frame = ""] = userFrames(new Error("here").stack ?? "")
  const [, file, at] = /\(?((?:file:\/\/)?[^()\s]+)(:\d+:\d+)\)?$/.exec(frame) ?? []
  if (file === undefined) return null
  return `${file.startsWith("file://") ? fileURLToPath(file) : file}${at}`
}
