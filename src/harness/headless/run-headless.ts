import { headlessCapMsDefault } from "../../domain/headless-limits.ts"
import type { HarnessWorld } from "../harness-world.ts"
import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import { type HeadlessSaid, readHeadlessOutput } from "../profile/headless-answer.ts"
import { headlessArguments } from "../profile/program-arguments.ts"
import { placedFailure, startedBy } from "../sandbox/agent-start.ts"
import { resolveBinary } from "../sandbox/resolve-binary.ts"
import { makeSandbox, type Sandbox } from "../sandbox/sandbox.ts"
import type { HeadlessResult } from "./headless-result.ts"
import { runCommand } from "./run-command.ts"

/** A program with its arguments, and where it runs. */
export interface HeadlessCommand {
  readonly program: string
  readonly args?: ReadonlyArray<string>
  readonly cwd: string
  /** Discarded: only what the sandbox and the options of the run say reaches the child. */
  readonly environment?: TextMap
  /** What it is called in errors. Default: the file name of the program. */
  readonly label?: string
}

/** How a run differs from others. */
export interface HeadlessOptions {
  /** Variables over everything else. */
  readonly env?: TextMap
  /** After so long it is killed, before the timeout scale. Default 60,000 ms. */
  readonly capMs?: number
  /** Whether descendants that left its group may outlive it. Default: no. */
  readonly allowDetached?: boolean
}

/** What an agent is run against: the address of a mock, or none. */
export interface AgentRun {
  readonly profile: AgentProfile
  readonly mockUrl?: string
  readonly cwd: string
}

/** What a prompt gave, besides how its process ended. */
export interface PromptResult extends HeadlessResult {
  /** Read from stdout by the format of the profile. */
  readonly said: HeadlessSaid
}

/**
 * Runs any command in a sandbox that stays the caller's.
 *
 * **Gives** a result also when the cap ended the run
 * **Fails** with `BinaryNotFound`, `SpawnCwdMissing`, `SpawnFailed`, which name the program and show the sandbox, and with
 * `KillTimeout`
 * **Source** agent-harness.md, sections 4.1 and 4.3
 *
 * @since 0.1.0
 * @category running
 */
export const runHeadlessInSandboxBorrowed = (
  world: HarnessWorld,
  { command, sandbox, ...options }: HeadlessOptions & { readonly command: HeadlessCommand; readonly sandbox: Sandbox }
): Promise<HeadlessResult> => {
  const { program, args = [], cwd, label } = command
  const { env = {}, capMs = headlessCapMsDefault, allowDetached = false } = options
  return runCommand(world, {
    program,
    args,
    cwd,
    environment: sandbox.environment({ changes: [{ kind: "extend", values: env }] }),
    allowDetached,
    capMs: capMs * world.timeoutScale(),
    ...(label === undefined ? {} : { label })
  }).catch((error) => {
    throw placedFailure(error, program, sandbox)
  })
}

/**
 * The same in a sandbox that is removed when the run is over, however it ends.
 *
 * @since 0.1.0
 * @category running
 */
export const runHeadlessInSandbox = (
  world: HarnessWorld,
  options: HeadlessOptions & { readonly command: HeadlessCommand; readonly sandbox: Sandbox }
): Promise<HeadlessResult> => owning(world, options.sandbox, () => runHeadlessInSandboxBorrowed(world, options))

/**
 * Runs the executable of an agent with exactly these arguments, in a fresh sandbox that is wired to the mock.
 *
 * **Fails** as `runHeadlessInSandbox`, `resolveBinary` and `makeSandbox` do
 * **Source** agent-harness.md, section 4.1
 *
 * @since 0.1.0
 * @category running
 */
export const runHeadless = async (
  world: HarnessWorld,
  { profile, mockUrl, cwd, args, ...options }: HeadlessOptions & AgentRun & { readonly args: ReadonlyArray<string> }
): Promise<HeadlessResult> => {
  const { parent, files, run } = world.sandboxes
  const binary = await resolveBinary(profile, { parent, files, run })
  const sandbox = await makeSandbox(world.sandboxes, { profile, ...(mockUrl === undefined ? {} : { mockUrl }) })
  const command = { ...startedBy(binary, args), cwd, label: `${profile.displayName} headless` }
  return { ...(await runHeadlessInSandbox(world, { ...options, command, sandbox })), binary }
}

/**
 * Runs one prompt, with the arguments that the profile has for it.
 *
 * **Fails** as `runHeadless` does, and with `ProfileInvalid` for what the agent cannot be asked
 * **Source** agent-harness.md, section 4.1
 *
 * @since 0.1.0
 * @category running
 */
export const runPrompt = async (
  world: HarnessWorld,
  asked: HeadlessOptions & AgentRun & { readonly prompt: string; readonly format?: string; readonly model?: string }
): Promise<PromptResult> => {
  const { prompt, format: wanted, model, ...rest } = asked
  const { args, format } = headlessArguments(asked.profile, asked)
  const result = await runHeadless(world, { ...rest, args })
  return { ...result, said: readHeadlessOutput(result.stdout, format) }
}

/** The failure of the work counts more than that of the cleaning up after it, which is said all the same. */
const owning = async <A>(world: HarnessWorld, sandbox: Sandbox, work: () => Promise<A>): Promise<A> => {
  const result = await work().catch(async (error) => {
    await sandbox.close().catch((second: unknown) => world.sandboxes.tell(`warning: ${String(second)}`))
    throw error
  })
  await sandbox.close()
  return result
}
