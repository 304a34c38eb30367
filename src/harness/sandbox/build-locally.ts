import { filePathsOf } from "../../domain/file-paths.ts"
import { BuildFailed } from "../../domain/harness-errors.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { RunProgram } from "../../ports/run-program.ts"
import { redactedOutput } from "../diagnostics/sanitised-output.ts"
import { nonInteractiveVariables } from "../environment/fixed-variables.ts"
import type { ProfileBuild, TextMap } from "../profile/agent-profile.ts"
import type { PathSearch } from "./find-on-path.ts"

/** So much of each stream stands in the message of a failed build. */
const shownLengthMax = 2000

/**
 * The executable of a build, made now if it is missing.
 *
 * **Gives** its absolute path
 * **Fails** with `BuildFailed`: another exit than 0, with both streams, or 0 without the file
 * **Source** agent-harness.md, section 1.2, rule 5
 *
 * @since 0.1.0
 * @category constructors
 */
export const buildLocally = async (
  build: ProfileBuild,
  { parent, files, run }: PathSearch & { readonly run: RunProgram }
): Promise<string> => {
  const { resolve } = filePathsOf(parent.platform)
  const path = resolve(parent.cwd, build.path)
  if ((await files.stat(path))?.kind === "file") return path
  const environment = { ...setVariables(parent), ...nonInteractiveVariables(parent.platform) }
  const outcome = await run({
    program: build.command,
    args: build.args,
    cwd: resolve(parent.cwd, build.cwd),
    environment
  })
  if (outcome.code !== 0) {
    const how = outcome.signal === null ? `exited with code ${outcome.code}` : `was ended by ${outcome.signal}`
    const shown = (text: string): string => redactedOutput(text, environment).trimEnd().slice(-shownLengthMax)
    const streams = `stdout:\n${shown(outcome.stdout)}\nstderr:\n${shown(outcome.stderr)}`
    throw new BuildFailed(`the build \`${build.command}\` ${how}\n${streams}`, outcome)
  }
  if ((await files.stat(path))?.kind === "file") return path
  throw new BuildFailed(`the build \`${build.command}\` exited with code 0 and left no file at ${path}`, outcome)
}

const setVariables = ({ variables }: ParentProcess): TextMap =>
  Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
