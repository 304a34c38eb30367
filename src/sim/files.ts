import { FileFailure } from "../domain/file-failure.ts"
import { type FilePaths, filePathsOf } from "../domain/file-paths.ts"
import type { FilePort, FileStat } from "../ports/file-port.ts"
import type { SocketPaths } from "./socket-paths.ts"

/**
 * Files that are in memory alone, with Linux paths; what to do next is done at once, so nothing of it can race.
 *
 * @since 0.1.0
 * @category layers
 */
export interface SimFiles extends FilePort, SocketPaths {
  /** Puts a file there, and the folders that it is in. */
  put(path: string, text: string, options?: { readonly isExecutable?: boolean }): void
  /** Adds to the end of a file, which is made when it is not there. */
  append(path: string, text: string): void
  /** Every path there is but `/`, sorted. */
  paths(): ReadonlyArray<string>
  /** Lets the next `times` removals of what is at or below `path` fail with a code, as a busy file system does. */
  failRemoval(path: string, failure: { readonly code: string; readonly times: number }): void
}

type Node =
  | { readonly kind: "folder" | "socket" }
  | { readonly kind: "file"; readonly text: string; readonly isExecutable: boolean }

interface RemovalFailure {
  readonly path: string
  readonly code: string
  readonly times: number
}

/** @since 0.1.0 @category constructors */
export const makeSimFiles = (): SimFiles => {
  const rules = filePathsOf("linux")
  const nodes = new Map<string, Node>([["/", { kind: "folder" }]])
  let failures: ReadonlyArray<RemovalFailure> = []
  let freshCount = 0

  const makeFolder = (path: string): void => {
    for (const folder of withParents(rules, path)) {
      const node = nodes.get(folder)
      if (node !== undefined && node.kind !== "folder") throw failure("EEXIST", folder, "there is a file")
      if (node === undefined) nodes.set(folder, { kind: "folder" })
    }
  }
  const fileAt = (path: string): Extract<Node, { readonly kind: "file" }> => {
    const node = nodes.get(rules.join(path))
    if (node === undefined) throw failure("ENOENT", path, "nothing is there")
    if (node.kind === "socket") throw failure("ENXIO", path, "there is a socket")
    return node.kind === "file" ? node : fail("EISDIR", path, "there is a folder")
  }
  const write = (path: string, node: Node): void => {
    const place = rules.join(path)
    if (nodes.get(rules.folderOf(place))?.kind !== "folder") throw failure("ENOENT", path, "there is no such folder")
    if (nodes.get(place)?.kind === "folder") throw failure("EISDIR", path, "there is a folder")
    nodes.set(place, node)
  }
  const below = (path: string): ReadonlyArray<string> =>
    [...nodes.keys()].filter((key) => rules.isWithin(path, key)).sort()

  return {
    stat: async (path) => statOf(nodes.get(rules.join(path))),
    realPath: async (path) => (nodes.has(rules.join(path)) ? rules.join(path) : null),
    readStart: async (path, bytesMax) => new TextEncoder().encode(fileAt(path).text).subarray(0, bytesMax),
    readText: async (path) => fileAt(path).text,
    writeText: async (path, text) => write(path, { kind: "file", text, isExecutable: false }),
    makeFolder: async (path) => makeFolder(path),
    async makeFreshFolder(parent, prefix) {
      if (nodes.get(rules.join(parent))?.kind !== "folder") throw failure("ENOENT", parent, "there is no such folder")
      freshCount += 1
      const path = rules.join(parent, `${prefix}${String(freshCount).padStart(6, "0")}`)
      makeFolder(path)
      return path
    },
    async list(folder) {
      if (nodes.get(rules.join(folder))?.kind !== "folder") throw failure("ENOENT", folder, "there is no such folder")
      const inside = below(folder).filter((path) => path !== rules.join(folder))
      return inside.filter((path) => rules.folderOf(path) === rules.join(folder)).map(rules.nameOf)
    },
    async remove(path) {
      const hit = failures.find((planned) => planned.times > 0 && rules.isWithin(path, planned.path))
      if (hit === undefined) {
        for (const key of below(path)) nodes.delete(key)
        return
      }
      failures = failures.map((planned) => (planned === hit ? { ...hit, times: hit.times - 1 } : planned))
      // What can go goes, as on a real file system; what is in the way stays, and the folders that it is in.
      for (const key of below(path))
        if (!rules.isWithin(hit.path, key) && !rules.isWithin(key, hit.path)) nodes.delete(key)
      throw failure(hit.code, hit.path, "it is in use")
    },
    put(path, text, { isExecutable = false } = {}) {
      makeFolder(rules.folderOf(path))
      write(path, { kind: "file", text, isExecutable })
    },
    append(path, text) {
      const node = nodes.get(rules.join(path))
      makeFolder(rules.folderOf(path))
      write(path, {
        isExecutable: false,
        ...node,
        kind: "file",
        text: `${node?.kind === "file" ? node.text : ""}${text}`
      })
    },
    paths: () => [...nodes.keys()].filter((path) => path !== "/").sort(),
    kindAt(path) {
      const node = nodes.get(rules.join(path))
      return node === undefined ? "nothing" : node.kind === "socket" ? "socket" : "other"
    },
    putSocket(path) {
      const place = rules.join(path)
      if (nodes.get(rules.folderOf(place))?.kind !== "folder") return false
      nodes.set(place, { kind: "socket" })
      return true
    },
    removeSocket(path) {
      const place = rules.join(path)
      if (nodes.get(place)?.kind === "socket") nodes.delete(place)
    },
    failRemoval(path, { code, times }) {
      failures = [...failures, { path: rules.join(path), code, times }]
    }
  }
}

const statOf = (node: Node | undefined): FileStat | null => {
  if (node === undefined) return null
  if (node.kind === "socket") return { kind: "other", isExecutable: true }
  return { kind: node.kind, isExecutable: node.kind === "file" ? node.isExecutable : true }
}

/** A path behind the folders that it is in, the outermost first. */
const withParents = (rules: FilePaths, path: string): ReadonlyArray<string> => {
  const place = rules.join(path)
  const parent = rules.folderOf(place)
  return parent === place ? [place] : [...withParents(rules, parent), place]
}

const failure = (code: string, path: string, why: string): FileFailure =>
  new FileFailure(`${code}: ${why}, ${path}`, { code, path })

const fail = (code: string, path: string, why: string): never => {
  throw failure(code, path, why)
}
