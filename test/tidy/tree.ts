import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SourceFile } from "./scan.ts"

const skipped = new Set(["node_modules", "fixtures"])

/** Every TypeScript and JavaScript file of the folders, in the order of their paths. */
export function readTree(root: string, folders: ReadonlyArray<string>): ReadonlyArray<SourceFile> {
  return folders
    .flatMap((folder) => pathsIn(root, folder))
    .filter((path) => /\.[mc]?[jt]s$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
}

function pathsIn(root: string, folder: string): ReadonlyArray<string> {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : pathsIn(root, path)
    return [path]
  })
}
