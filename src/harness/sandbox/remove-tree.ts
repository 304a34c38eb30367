import { FileFailure } from "../../domain/file-failure.ts"
import { filePathsOf } from "../../domain/file-paths.ts"
import { SandboxError } from "../../domain/harness-errors.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { FilePort } from "../../ports/file-port.ts"

/** How long a folder that is still being written to is tried again. Cleaning up is never scaled. */
const removalMsMax = 2000
const gapMs = 50
const leftoversMax = 50

const passingCodes = ["ENOTEMPTY", "EBUSY"]

/** What removing needs. */
export interface Removal {
  readonly files: FilePort
  readonly clock: Clock
  readonly platform: string
}

/**
 * Removes a folder with all that is in it. While something is busy or just being written it is tried again, for 2 s.
 *
 * **Fails** with `SandboxError`, whose `leftovers` are at most 50 paths that are still there
 * **Source** agent-harness.md, section 1.3
 *
 * @since 0.1.0
 * @category running
 */
export const removeTree = async (root: string, removal: Removal): Promise<void> => {
  const { files, clock } = removal
  const deadline = clock.now() + removalMsMax
  for (;;) {
    const problem = await tried(files.remove(root))
    if (problem === null) return
    if (!passingCodes.includes(problem.code) || clock.now() >= deadline) throw await leftBehind(root, problem, removal)
    await pause(clock, gapMs)
  }
}

const tried = async (work: Promise<void>): Promise<FileFailure | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof FileFailure) return error
    throw error
  }
}

const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.arm(ms, "removal of a sandbox", resolve)
  })

const leftBehind = async (root: string, cause: FileFailure, removal: Removal): Promise<SandboxError> => {
  const leftovers = (await pathsBelow(root, removal)).slice(0, leftoversMax)
  const listed = leftovers.map((path) => `  ${path}`).join("\n")
  return new SandboxError(`the sandbox ${root} could not be removed (${cause.code}); left are:\n${listed}`, {
    leftovers,
    cause
  })
}

/** The folder and everything below it; what cannot be listed is passed over, for this is for a message. */
const pathsBelow = async (folder: string, removal: Removal): Promise<ReadonlyArray<string>> => {
  const names = await removal.files.list(folder).catch(() => [])
  const { join } = filePathsOf(removal.platform)
  const found = [folder]
  for (const name of names) {
    if (found.length >= leftoversMax) break
    found.push(...(await pathsBelow(join(folder, name), removal)))
  }
  return found
}
