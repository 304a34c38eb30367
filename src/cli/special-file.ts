import { statSync } from "node:fs"

/** What is no file of bytes: to open or read it can block the whole process, or makes no sense. */
export type SpecialFile = "a folder" | "a pipe" | "a socket"

/**
 * What stands at a path, when it is special; nothing is opened.
 *
 * **Gives** `undefined` for files and devices, and where there is nothing
 *
 * @since 0.1.0
 * @category guards
 */
export const specialFile = (path: string): SpecialFile | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFIFO()) return "a pipe"
  if (found?.isSocket()) return "a socket"
  return found?.isDirectory() ? "a folder" : undefined
}

/** Whether a path names what this process was started with, as `<(command)` of a shell does: its other end is there. */
export const isInherited = (path: string): boolean => /^\/(dev|proc\/self)\/(fd\/\d+|stdin)$/.test(path)
