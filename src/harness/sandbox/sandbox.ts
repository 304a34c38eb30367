import { FileFailure } from "../../domain/file-failure.ts"
import { filePathsOf } from "../../domain/file-paths.ts"
import { SandboxError } from "../../domain/harness-errors.ts"
import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import { isRecord } from "../../domain/json.ts"
import {
  anyText,
  check,
  checkOption,
  either,
  having,
  listOf,
  members,
  oneOf,
  recordOf
} from "../../domain/option-checks.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { FilePort } from "../../ports/file-port.ts"
import type { ParentProcess } from "../../ports/parent-process.ts"
import type { RunProgram } from "../../ports/run-program.ts"
import { sandboxSummary } from "../diagnostics/sandbox-summary.ts"
import { checkVariable } from "../environment/apply-changes.ts"
import { childEnvironment } from "../environment/child-environment.ts"
import type { EnvironmentChange, SandboxPaths } from "../environment/environment-request.ts"
import { mockWiring, type WiringOptions } from "../environment/mock-wiring.ts"
import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import { layoutOf } from "../profile/layout.ts"
import { readProfile } from "../profile/read-profile.ts"
import { type GitCommand, initRepository, makeGitCommand } from "./git-command.ts"
import { removeTree } from "./remove-tree.ts"
import { writeMockFiles } from "./write-mock-files.ts"

/**
 * A private tree of folders, and the environment of everything that runs in it. The environment of the process that made
 * it is never changed.
 *
 * **Source** agent-harness.md, sections 1.3 to 1.6
 *
 * @since 0.1.0
 * @category services
 */
export interface Sandbox extends AsyncDisposable {
  readonly profile: AgentProfile
  readonly paths: SandboxPaths
  /** Points the agent at a mock: exactly the mock's variables and files. **Fails** with `SandboxError`; see `mockWiring`. */
  setMock(mockUrl: string, options?: WiringOptions): Promise<void>
  /** Sets a variable of every later child. **Fails** with `InvalidOption` for what no environment can hold. */
  set(name: string, value: string): void
  extend(values: TextMap): void
  /** Leaves a variable out, wherever it came from. */
  remove(name: string): void
  /** The whole environment of a child that starts now. */
  environment(child?: ChildOptions): TextMap
  /** One line that shows folders and variables, and no secret. */
  summary(): string
  /** Runs git in the workspace. */
  readonly git: GitCommand
  /** Has this done before the folders are removed; what was deferred last is done first. */
  defer(finalizer: () => Promise<void> | void): void
  /**
   * Does what was deferred, then removes the tree unless it is to be kept; a second call waits for the first. **Fails**
   * with what went wrong, or with `CleanupFailed` when that is several things.
   */
  close(): Promise<void>
}

/** What a child has besides its sandbox. */
export interface ChildOptions {
  readonly ownerMark?: string | null
  readonly changes?: ReadonlyArray<EnvironmentChange>
}

/** What a sandbox is made of, live or simulated. */
export interface SandboxWorld {
  readonly parent: ParentProcess
  readonly files: FilePort
  readonly clock: Clock
  readonly run: RunProgram
  /** The folder that sandboxes are made in, an absolute path; short, because a socket may come to stand below it. */
  readonly baseFolder: string
  /** Says one line to the person who runs the tests. */
  tell(line: string): void
}

export interface SandboxOptions {
  /** Without one the sandbox is nobody's in particular. */
  readonly profile?: AgentProfile
  readonly mockUrl?: string
  readonly allowRemote?: boolean
  /** Makes the workspace a git repository with one commit; false by default. */
  readonly git?: boolean
  /** Leaves the tree where it is, and says where; also when `HARNESS_KEEP_SANDBOX` is 1. */
  readonly keep?: boolean
}

/** What a sandbox has that is made for no agent. */
export const plainProfile: AgentProfile = readProfile({
  id: "plain",
  binary: { env: ["HARNESS_PROGRAM"] },
  headless: { args: ["{prompt}"] },
  sandbox: { stateDir: ".agent" }
})

/**
 * Makes a sandbox. When that fails nothing of it is left.
 *
 * **Fails** with `SandboxError`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSandbox = async (world: SandboxWorld, options: SandboxOptions = {}): Promise<Sandbox> => {
  const { profile = plainProfile, mockUrl, allowRemote = false, git = false } = options
  // A URL that is refused leaves no folder.
  if (mockUrl !== undefined) mockWiring(mockUrl, { allowRemote })
  const root = await world.files.makeFreshFolder(world.baseFolder, "us-").catch((error) => {
    throw cannotMake(error)
  })
  const sandbox = sandboxAt(root, { world, profile, isKept: keepAsked(world, options) })
  try {
    const { home, stateDir, workspace, temp } = sandbox.paths
    for (const folder of [home, stateDir, workspace, temp]) await world.files.makeFolder(folder)
    if (mockUrl !== undefined) await sandbox.setMock(mockUrl, { allowRemote })
    if (git) await initIn(sandbox, world)
    return sandbox
  } catch (error) {
    await removeTree(root, { ...world, platform: world.parent.platform })
    throw error instanceof FileFailure ? cannotMake(error) : error
  }
}

const keepAsked = ({ parent }: SandboxWorld, { keep = false }: SandboxOptions): boolean =>
  keep || parent.variables["HARNESS_KEEP_SANDBOX"] === "1"

const cannotMake = (cause: unknown): SandboxError =>
  new SandboxError(`the sandbox could not be made: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause
  })

const initIn = ({ git, environment, summary, paths }: Sandbox, { files, parent }: SandboxWorld): Promise<void> => {
  const readme = filePathsOf(parent.platform).join(paths.workspace, "README.md")
  return initRepository(git, {
    variables: () => environment(),
    summary,
    writeReadme: () => files.writeText(readme, "test file\n")
  })
}

interface SandboxParts {
  readonly world: SandboxWorld
  readonly profile: AgentProfile
  readonly isKept: boolean
}

const sandboxAt = (root: string, { world, profile, isKept }: SandboxParts): Sandbox => {
  const { files, run } = world
  // What the process changes later is not for children of this sandbox.
  const parent = { ...world.parent, variables: { ...world.parent.variables } }
  const paths = pathsAt(root, parent.platform, profile)
  const changes: Array<EnvironmentChange> = []
  const finalizers: Array<() => Promise<void> | void> = []
  let closing: Promise<void> | null = null

  const environment = (child: ChildOptions = {}): TextMap => {
    checkOption(childCheck, child)
    const { ownerMark = null, changes: ofProcess = [] } = child
    return childEnvironment({ parent, paths, profile, changes, ownerMark, ofProcess })
  }
  const summary = (): string => sandboxSummary(paths, environment())
  const finish = async (): Promise<void> => {
    const problems: Array<Error> = []
    for (const finalizer of finalizers.reverse()) await collect(problems, async () => finalizer())
    if (isKept) world.tell(`the sandbox is kept: ${root}`)
    else await collect(problems, () => removeTree(root, { ...world, platform: parent.platform }))
    const [first, ...others] = problems
    if (first !== undefined) throw others.length === 0 ? first : new CleanupFailed(problems)
  }
  const close = (): Promise<void> => {
    closing ??= finish()
    return closing
  }
  return {
    profile,
    paths,
    async setMock(mockUrl, options) {
      checkOption(anyText, mockUrl, "the URL of the mock")
      if (options !== undefined) checkOption(check(isRecord, "an object"), options, "what is said of the mock")
      const wiring = mockWiring(mockUrl, options)
      changes.push({ kind: "mock", wiring })
      await writeMockFiles(profile.mock, { wiring, paths, files, platform: parent.platform })
    },
    set(name, value) {
      checkVariable(name, value)
      changes.push({ kind: "set", name, value })
    },
    extend(values) {
      checkOption(recordOf(anyValue), values, "the values")
      for (const [name, value] of Object.entries(values)) checkVariable(name, value)
      changes.push({ kind: "extend", values: { ...values } })
    },
    remove(name) {
      changes.push({ kind: "remove", name })
    },
    environment,
    summary,
    git: makeGitCommand({
      platform: parent.platform,
      run,
      files,
      variables: () => environment(),
      cwd: paths.workspace,
      summary
    }),
    defer(finalizer) {
      if (closing !== null) throw new SandboxError(`the sandbox ${root} is closed; nothing can be started in it`)
      finalizers.push(finalizer)
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

// What is in them is looked at by `checkVariable`.
const anyValue = () => null
const childCheck = members({
  ownerMark: either(
    check((value) => value === null, ""),
    anyText
  ),
  changes: listOf(having({ kind: oneOf(["set", "extend", "remove", "mock"]) }))
})

const pathsAt = (root: string, platform: string, { sandbox }: AgentProfile): SandboxPaths => {
  const { join } = filePathsOf(platform)
  const layout = layoutOf(platform, sandbox.stateDir)
  return {
    root,
    home: join(root, layout.home),
    stateDir: join(root, layout.stateDir),
    workspace: join(root, layout.workspace),
    temp: join(root, layout.temp)
  }
}

const collect = async (problems: Array<Error>, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    problems.push(error instanceof Error ? error : new Error(String(error)))
  }
}
