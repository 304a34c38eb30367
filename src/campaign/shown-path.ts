import { relative } from "node:path"

/** A path as people write it, from this folder. */
export const shownPath = (path: string): string => {
  const here = relative(process.cwd(), path)
  return here === "" || here.startsWith("..") ? path : here
}
