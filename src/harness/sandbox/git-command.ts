import { SandboxError } from "../../domain/harness-errors.ts"
import type { ProgramOutcome, RunProgram } from "../../ports/run-program.ts"
import { redactedOutput } from "../diagnostics/sanitised-output.ts"
import { ownGitVariables } from "../environment/fixed-variables.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import { findOnPath, type PathSearch } from "./find-on-path.ts"

/** Runs git in a sandbox; the outcome is given whatever it is. */
export type GitCommand = (args: ReadonlyArray<string>) => Promise<ProgramOutcome>

/** Where and with what git runs. */
export interface GitOptions extends Omit<PathSearch, "parent"> {
  readonly platform: string
  readonly run: RunProgram
  /** The variables of the sandbox at this moment. */
  readonly variables: () => TextMap
  /** The working directory, an absolute path. */
  readonly cwd: string
  /** A sandbox in one line, for messages. */
  readonly summary: () => string
}

/**
 * A git that asks nobody anything and reads no configuration of the machine: that of `GIT_BIN_PATH`, else the one on
 * `PATH`.
 *
 * **Fails**, when it is called, with `SandboxError` where there is no git
 * **Source** agent-harness.md, sections 1.4.4 and 1.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeGitCommand =
  ({ platform, run, files, variables, cwd, summary }: GitOptions): GitCommand =>
  async (args) => {
    const environment = { ...variables(), ...ownGitVariables }
    const asked = environment["GIT_BIN_PATH"] ?? ""
    const parent = { platform, variables: environment, cwd }
    const program = asked === "" ? await findOnPath("git", { parent, files }) : asked
    if (program === null)
      throw new SandboxError(`there is no git on PATH; install it, or set GIT_BIN_PATH\n${summary()}`)
    return run({ program, args: ["--no-optional-locks", ...args], cwd, environment })
  }

/**
 * Makes the workspace a repository with one commit.
 *
 * **Fails** with `SandboxError`: the command, how it ended, its stderr, the sandbox
 * **Source** agent-harness.md, section 1.6
 *
 * @since 0.1.0
 * @category running
 */
export const initRepository = async (
  git: GitCommand,
  { variables, summary, writeReadme }: Pick<GitOptions, "variables" | "summary"> & { writeReadme(): Promise<void> }
): Promise<void> => {
  const must = async (...args: ReadonlyArray<string>): Promise<void> => {
    const { code, signal, stderr } = await git(args)
    if (code === 0) return
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
    const shown = redactedOutput(stderr, variables()).trimEnd()
    throw new SandboxError(`\`git ${args.join(" ")}\` ${how}: ${shown}\n${summary()}`)
  }
  await must("init")
  await must("config", "user.email", "test@test.invalid")
  // The name is the same for all agents.
  await must("config", "user.name", "Grok Test")
  await writeReadme()
  await must("add", "-A")
  await must("commit", "-m", "init", "--no-gpg-sign")
}
