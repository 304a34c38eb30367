import { filePathsOf } from "../../domain/file-paths.ts"
import { BinaryNotFound } from "../../domain/harness-errors.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { type ResolvedBinary, resolveBinary } from "../sandbox/resolve-binary.ts"
import type { SandboxWorld } from "../sandbox/sandbox.ts"
import { interpreterFor } from "../sandbox/script-interpreter.ts"

/** An executable, and what it is started with. */
export type LeaderBinary = Pick<ResolvedBinary, "path" | "interpreter">

/** Which of the two executables of a leader system. */
export type LeaderRole = "leader" | "client"

/**
 * The executable that was asked for, else that of a role, else that of the agent.
 *
 * **Fails** with `BinaryNotFound`, `BuildFailed`
 * **Source** agent-harness.md, sections 1.2 and 5.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const leaderBinary = async (
  { parent, files, run }: SandboxWorld,
  profile: AgentProfile,
  { role, path }: { readonly role: LeaderRole; readonly path?: string | undefined }
): Promise<LeaderBinary> => {
  const search = { parent, files, run }
  if (path === undefined) return resolveBinary(profile, { ...search, role })
  const absolute = filePathsOf(parent.platform).resolve(parent.cwd, path)
  if ((await files.stat(absolute))?.kind !== "file")
    throw new BinaryNotFound(`the program of the ${role} does not exist: ${path}`, { path })
  return { path: absolute, interpreter: await interpreterFor(absolute, profile.binary.interpreter, search) }
}
