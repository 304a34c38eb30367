import { SandboxError } from "../../domain/harness-errors.ts"
import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import type { HarnessWorld } from "../harness-world.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { AgentProfile, ProfileAcp, TextMap } from "../profile/agent-profile.ts"
import { acpArguments } from "../profile/program-arguments.ts"
import { placedFailure, startedBy } from "../sandbox/agent-start.ts"
import { type ResolvedBinary, resolveBinary } from "../sandbox/resolve-binary.ts"
import { makeSandbox, type Sandbox } from "../sandbox/sandbox.ts"
import { fileCapabilities, fileHandlers } from "./file-handlers.ts"
import { makeSession } from "./make-session.ts"
import type { SessionParts } from "./session-options.ts"
import type { AgentStart, StartedAgent } from "./started-agent.ts"
import { makeTerminals, terminalCapabilities } from "./terminal-handlers.ts"

/**
 * Starts an agent in ACP mode. Nothing has been said to it when this resolves.
 *
 * **Fails** with what `resolveBinary`, `makeSandbox`, `acpArguments` and `ProcessHost.spawn` fail with; an error of the start names
 * the program and shows the sandbox
 * **Source** agent-harness.md, section 2.3
 *
 * @since 0.1.0
 * @category constructors
 */
export const startAgent = async (world: HarnessWorld, start: AgentStart): Promise<StartedAgent> => {
  const { profile, role } = start
  // Refused before anything is made.
  acpArguments(profile, { values: noPaths })
  const { parent, files, run } = world.sandboxes
  const binary = await resolveBinary(profile, { parent, files, run, ...(role === undefined ? {} : { role }) })
  const sandbox = start.sandbox ?? (await makeSandbox(world.sandboxes, { profile }))
  try {
    if (start.mockUrl !== undefined) await sandbox.setMock(start.mockUrl)
    sandbox.extend(start.env ?? {})
    return await startIn(world, start, { binary, sandbox })
  } catch (error) {
    if (start.sandbox === undefined)
      await sandbox.close().catch((second) => world.sandboxes.tell(`warning: ${String(second)}`))
    throw error
  }
}

const noPaths = { home: "", stateDir: "", workspace: "", temp: "" }

interface Place {
  readonly binary: ResolvedBinary
  readonly sandbox: Sandbox
}

const startIn = async (world: HarnessWorld, start: AgentStart, { binary, sandbox }: Place): Promise<StartedAgent> => {
  const { profile, leadingArgs = [], cwd = sandbox.paths.workspace } = start
  const environment = sandbox.environment()
  const command = startedBy(binary, acpArguments(profile, { values: sandbox.paths, leadingArgs }))
  const spawned = world.host.spawn({
    ...command,
    cwd,
    environment,
    label: `${profile.displayName} agent stdio`,
    stdin: "piped",
    stdout: "piped"
  })
  const process = await spawned.catch((error) => {
    throw placedFailure(error, command.program, sandbox)
  })
  // A sandbox outlives what runs in it, whoever closes it.
  sandbox.defer(async () => void (await process.kill()))
  return sessionIn(world, start, { binary, sandbox, process, cwd, environment })
}

interface RunningAgent extends Place {
  readonly process: OwnedProcess
  readonly cwd: string
  readonly environment: TextMap
}

const sessionIn = (world: HarnessWorld, start: AgentStart, running: RunningAgent): StartedAgent => {
  const { sandbox, process, cwd, environment, binary } = running
  const { files, parent } = world.sandboxes
  const terminals = makeTerminals({
    host: world.host,
    platform: parent.platform,
    cwd,
    environment: (values) => sandbox.environment({ changes: [{ kind: "extend", values }] })
  })
  let isOwned = start.sandbox === undefined
  let isTaken = false
  const parts: SessionParts = {
    ...start,
    timing: start.timing ?? world.showsTiming,
    process,
    acp: acpOf(start.profile),
    capabilities: {
      ...(start.fs === true ? fileCapabilities : {}),
      ...(start.terminal === true ? terminalCapabilities : {})
    },
    handlers: {
      ...(start.fs === true ? fileHandlers({ files, platform: parent.platform, root: cwd }) : {}),
      ...(start.terminal === true ? terminals.handlers : {}),
      ...start.handlers
    },
    shown: (text) => world.redact(text, environment),
    release: () => releaseAll([terminals.close, async () => (isOwned ? sandbox.close() : undefined)])
  }
  const session = makeSession({ ...world, tell: world.sandboxes.tell }, parts)
  return {
    ...session,
    binary,
    get sandbox() {
      if (isTaken) throw new SandboxError("the sandbox of the session was taken; use the one that takeSandbox gave")
      return sandbox
    },
    takeSandbox() {
      if (!isOwned)
        throw new SandboxError(isTaken ? "the sandbox was taken already" : "the sandbox is the caller's already")
      isOwned = false
      isTaken = true
      return sandbox
    }
  }
}

/** `startAgent` has refused a profile without it. */
const acpOf = ({ acp, displayName }: AgentProfile): ProfileAcp => {
  if (acp === null) throw new Error(`${displayName} does not speak ACP`)
  return acp
}

const releaseAll = async (steps: ReadonlyArray<() => Promise<void>>): Promise<void> => {
  const problems: Array<Error> = []
  for (const step of steps)
    await step().catch((error: unknown) => problems.push(error instanceof Error ? error : new Error(String(error))))
  const [first, ...others] = problems
  if (first !== undefined) throw others.length === 0 ? first : new CleanupFailed(problems)
}
