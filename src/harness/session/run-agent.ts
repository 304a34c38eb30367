import { CleanupFailed } from "../../domain/harness-scope-errors.ts"
import type { HarnessWorld } from "../harness-world.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { ProfileAcp, TextMap } from "../profile/agent-profile.ts"
import { placedFailure } from "../sandbox/agent-start.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { AgentSession } from "./agent-session.ts"
import { fileCapabilities, fileHandlers } from "./file-handlers.ts"
import { makeSession } from "./make-session.ts"
import type { OwnHandlers, SessionBehaviour } from "./session-behaviour.ts"
import type { SessionParts, SessionTimes } from "./session-options.ts"
import { makeTerminals, terminalCapabilities } from "./terminal-handlers.ts"

/** A command that is an agent in ACP mode, and how its session behaves. */
export interface AgentCommand extends SessionBehaviour, OwnHandlers {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly environment: TextMap
  /** What it is called in errors. */
  readonly label: string
  readonly acp: ProfileAcp
  readonly sandbox: Sandbox
  readonly times?: SessionTimes
  /** Whether descendants that left its group may outlive it. Default: no. */
  readonly allowDetached?: boolean
  /** Gives back what is the session's besides its process. */
  readonly release: () => Promise<void>
}

/** A session, and the process that it is with. */
export interface RunningAgent {
  readonly session: AgentSession
  readonly process: OwnedProcess
}

/**
 * Starts an agent in a sandbox, which outlives it. Nothing has been said to it when this resolves.
 *
 * **Fails** as `ProcessHost.spawn` does; the error names the program and shows the sandbox
 *
 * @since 0.1.0
 * @category constructors
 */
export const runAgent = async (world: HarnessWorld, command: AgentCommand): Promise<RunningAgent> => {
  const { program, args, cwd, environment, label, sandbox, allowDetached = false } = command
  const spawned = world.host.spawn({
    program,
    args,
    cwd,
    environment,
    label,
    allowDetached,
    stdin: "piped",
    stdout: "piped"
  })
  const process = await spawned.catch((error) => {
    throw placedFailure(error, program, sandbox)
  })
  // A sandbox outlives what runs in it, whoever closes it.
  sandbox.defer(async () => void (await process.kill()))
  return { process, session: sessionWith(world, command, process) }
}

const sessionWith = (world: HarnessWorld, command: AgentCommand, process: OwnedProcess): AgentSession => {
  const { cwd, environment, sandbox, fs = false, terminal = false, release, ...behaviour } = command
  const { files, parent } = world.sandboxes
  const terminals = makeTerminals({
    host: world.host,
    platform: parent.platform,
    cwd,
    environment: (values) => sandbox.environment({ changes: [{ kind: "extend", values }] })
  })
  const parts: SessionParts = {
    ...behaviour,
    timing: command.timing ?? world.showsTiming,
    process,
    capabilities: { ...(fs ? fileCapabilities : {}), ...(terminal ? terminalCapabilities : {}) },
    handlers: {
      ...(fs ? fileHandlers({ files, platform: parent.platform, root: cwd }) : {}),
      ...(terminal ? terminals.handlers : {}),
      ...command.handlers
    },
    shown: (text) => world.redact(text, environment),
    release: () => releaseAll([terminals.close, release])
  }
  return makeSession({ ...world, tell: world.sandboxes.tell }, parts)
}

const releaseAll = async (steps: ReadonlyArray<() => Promise<void>>): Promise<void> => {
  const problems: Array<Error> = []
  for (const step of steps)
    await step().catch((error: unknown) => problems.push(error instanceof Error ? error : new Error(String(error))))
  const [first, ...others] = problems
  if (first !== undefined) throw others.length === 0 ? first : new CleanupFailed(problems)
}
