import { headlessCapMsDefault } from "../../domain/headless-limits.ts"
import type { HarnessWorld } from "../harness-world.ts"
import { readHeadlessOutput } from "../profile/headless-answer.ts"
import { headlessArguments } from "../profile/program-arguments.ts"
import { placedFailure, startedBy } from "../sandbox/agent-start.ts"
import { resolveBinary } from "../sandbox/resolve-binary.ts"
import { makeSandbox, type Sandbox } from "../sandbox/sandbox.ts"
import type { AgentRun, HeadlessCommand, HeadlessOptions, PromptResult } from "./headless-options.ts"
import type { HeadlessResult } from "./headless-result.ts"
import { runCommand } from "./run-command.ts"

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
 * Runs any command: in the sandbox that is given, which stays the caller's, or in one of its own, which is removed after it.
 *
 * **Fails** as `runHeadlessInSandboxBorrowed` and `makeSandbox` do
 * **Source** agent-harness.md, section 4.1
 *
 * @since 0.1.0
 * @category running
 */
export const runInSandbox = async (
  world: HarnessWorld,
  { program, args, cwd, label, sandbox: given, ...options }: HeadlessOptions & PlacedCommand
): Promise<HeadlessResult> => {
  const sandbox = given ?? (await makeSandbox(world.sandboxes))
  const command = {
    program,
    cwd: cwd ?? sandbox.paths.workspace,
    ...(args === undefined ? {} : { args }),
    ...(label === undefined ? {} : { label })
  }
  const run = given === undefined ? runHeadlessInSandbox : runHeadlessInSandboxBorrowed
  return run(world, { ...options, command, sandbox })
}

type PlacedCommand = Omit<HeadlessCommand, "cwd" | "environment"> & {
  readonly cwd?: string
  readonly sandbox?: Sandbox
}

/**
 * Runs the executable of an agent with exactly these arguments, in a sandbox that is wired to the mock.
 *
 * **Fails** as `runHeadlessInSandbox`, `resolveBinary` and `makeSandbox` do
 * **Source** agent-harness.md, section 4.1
 *
 * @since 0.1.0
 * @category running
 */
export const runHeadless = (
  world: HarnessWorld,
  { args, ...run }: HeadlessOptions & AgentRun & { readonly args: ReadonlyArray<string> }
): Promise<HeadlessResult> => runAgent(world, run, () => args)

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
  const { prompt: _prompt, format: _format, model: _model, ...run } = asked
  // Refused before anything is made.
  const { format } = headlessArguments(asked.profile, { ...asked, cwd: "" })
  const result = await runAgent(world, run, (cwd) => headlessArguments(asked.profile, { ...asked, cwd }).args)
  return { ...result, said: readHeadlessOutput(result.stdout, format) }
}

const runAgent = async (
  world: HarnessWorld,
  { profile, mockUrl, cwd, sandbox: given, ...options }: HeadlessOptions & AgentRun,
  argsIn: (cwd: string) => ReadonlyArray<string>
): Promise<HeadlessResult> => {
  const { parent, files, run } = world.sandboxes
  const binary = await resolveBinary(profile, { parent, files, run })
  const sandbox = given ?? (await makeSandbox(world.sandboxes, { profile }))
  const work = async (): Promise<HeadlessResult> => {
    if (mockUrl !== undefined) await sandbox.setMock(mockUrl)
    const place = cwd ?? sandbox.paths.workspace
    const command = { ...startedBy(binary, argsIn(place)), cwd: place, label: `${profile.displayName} headless` }
    return { ...(await runHeadlessInSandboxBorrowed(world, { ...options, command, sandbox })), binary }
  }
  return given === undefined ? owning(world, sandbox, work) : work()
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
