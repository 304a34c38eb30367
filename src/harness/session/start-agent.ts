import { ProfileInvalid, SandboxError } from "../../domain/harness-errors.ts"
import type { HarnessWorld } from "../harness-world.ts"
import type { AgentProfile, ProfileAcp, TextMap } from "../profile/agent-profile.ts"
import { acpArguments } from "../profile/program-arguments.ts"
import { startedBy } from "../sandbox/agent-start.ts"
import { type ResolvedBinary, resolveBinary } from "../sandbox/resolve-binary.ts"
import { makeSandbox, type Sandbox } from "../sandbox/sandbox.ts"
import { runAgent } from "./run-agent.ts"
import type { AgentStart, StartedAgent } from "./started-agent.ts"

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
  const modelVariables = variablesOf(start)
  const { parent, files, run } = world.sandboxes
  const binary = await resolveBinary(profile, { parent, files, run, ...(role === undefined ? {} : { role }) })
  const sandbox = start.sandbox ?? (await makeSandbox(world.sandboxes, { profile }))
  try {
    if (start.mockUrl !== undefined) await sandbox.setMock(start.mockUrl)
    sandbox.extend({ ...modelVariables, ...start.env })
    return await startIn(world, start, { binary, sandbox })
  } catch (error) {
    if (start.sandbox === undefined)
      await sandbox.close().catch((second) => world.sandboxes.tell(`warning: ${String(second)}`))
    throw error
  }
}

/** What holds the model when the agent starts. */
const variablesOf = ({ profile, model }: AgentStart): TextMap => {
  if (model === undefined) return {}
  const selection = profile.acp?.modelSelection ?? "none"
  if (typeof selection === "object" && "env" in selection) return { [selection.env]: model }
  throw new ProfileInvalid(`${profile.displayName} takes no model when it starts; ask for it in a session`, {
    field: "acp.modelSelection"
  })
}

const noPaths = { home: "", stateDir: "", workspace: "", temp: "" }

interface Place {
  readonly binary: ResolvedBinary
  readonly sandbox: Sandbox
}

const startIn = async (world: HarnessWorld, start: AgentStart, { binary, sandbox }: Place): Promise<StartedAgent> => {
  const { profile, leadingArgs = [], cwd = sandbox.paths.workspace } = start
  let isOwned = start.sandbox === undefined
  let isTaken = false
  const { session } = await runAgent(world, {
    ...start,
    ...startedBy(binary, acpArguments(profile, { values: sandbox.paths, leadingArgs })),
    cwd,
    environment: sandbox.environment(),
    label: `${profile.displayName} agent stdio`,
    acp: acpOf(profile),
    sandbox,
    release: async () => (isOwned ? sandbox.close() : undefined)
  })
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
