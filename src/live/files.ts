import { chmod, mkdir, mkdtemp, open, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { FileFailure } from "../domain/file-failure.ts"
import type { FilePort } from "../ports/file-port.ts"

/**
 * The files of this machine.
 *
 * @since 0.1.0
 * @category layers
 */
export const liveFiles: FilePort = {
  async stat(path) {
    try {
      const found = await stat(path)
      const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"
      return { kind, isExecutable: process.platform === "win32" || (found.mode & anyoneMayRun) !== 0 }
    } catch (error) {
      if (absent.has(codeOf(error))) return null
      throw failure(path, error)
    }
  },
  async realPath(path) {
    try {
      return await realpath(path)
    } catch (error) {
      if (absent.has(codeOf(error))) return null
      throw failure(path, error)
    }
  },
  readStart: (path, bytesMax) =>
    named(path, async () => {
      const file = await open(path, "r")
      try {
        const buffer = new Uint8Array(bytesMax)
        const { bytesRead } = await file.read(buffer, 0, bytesMax, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    }),
  readText: (path) => named(path, () => readFile(path, "utf8")),
  writeText: (path, text) => named(path, () => writeFile(path, text)),
  makeFolder: (path) => named(path, async () => void (await mkdir(path, { recursive: true }))),
  makeFreshFolder: (parent, prefix) => named(join(parent, prefix), () => mkdtemp(join(parent, prefix))),
  list: (folder) => named(folder, async () => (await readdir(folder)).sort()),
  remove: (path) =>
    named(path, async () => {
      try {
        await rm(path, { recursive: true, force: true })
      } catch (error) {
        if (!refused.has(codeOf(error))) throw error
        // Some programs leave folders that nothing may be removed from.
        await openFolders(path)
        await rm(path, { recursive: true, force: true })
      }
    })
}

const anyoneMayRun = 0o111
const ownerMayAll = 0o700

/** Nothing is there, or nothing that we could reach. */
const absent = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"])
const refused = new Set(["EACCES", "EPERM"])

const openFolders = async (folder: string): Promise<void> => {
  await chmod(folder, ownerMayAll)
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) await openFolders(join(folder, entry.name))
}

const named = async <A>(path: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    throw failure(path, error)
  }
}

const failure = (path: string, cause: unknown): FileFailure =>
  new FileFailure(cause instanceof Error ? cause.message : String(cause), { code: codeOf(cause), path, cause })

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN"
