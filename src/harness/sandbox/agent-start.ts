import { BinaryNotFound, SpawnCwdMissing, SpawnFailed } from "../../domain/harness-errors.ts"
import type { ResolvedBinary } from "./resolve-binary.ts"
import type { Sandbox } from "./sandbox.ts"

/** What starts an executable: a script is started with its interpreter. */
export const startedBy = (
  { path, interpreter }: Pick<ResolvedBinary, "path" | "interpreter">,
  args: ReadonlyArray<string>
): { readonly program: string; readonly args: ReadonlyArray<string> } =>
  interpreter === null ? { program: path, args } : { program: interpreter, args: [path, ...args] }

/** A failed start with the path of its program and its sandbox. */
export const placedFailure = (error: unknown, program: string, sandbox: Sandbox): unknown => {
  const options = { diagnostics: sandbox.summary(), cause: error }
  if (error instanceof SpawnFailed)
    return new SpawnFailed(`${program}: ${error.message}`, { code: error.code, ...options })
  if (error instanceof BinaryNotFound) return new BinaryNotFound(error.message, { path: error.path, ...options })
  if (error instanceof SpawnCwdMissing) return new SpawnCwdMissing(error.cwd, options)
  return error
}
