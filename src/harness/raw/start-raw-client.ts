import type { HarnessWorld } from "../harness-world.ts"
import { acpArguments } from "../profile/program-arguments.ts"
import { placedFailure, startedBy } from "../sandbox/agent-start.ts"
import { resolveBinary } from "../sandbox/resolve-binary.ts"
import { makeSandbox } from "../sandbox/sandbox.ts"

import { makeRawClient } from "./make-raw-client.ts"
import type { RawStdioClient } from "./raw-client.ts"
import type { RawStart } from "./raw-options.ts"

/**
 * Starts an agent in ACP mode, in a sandbox of its own, as one that is sent exact bytes. Nothing is sent to it.
 *
 * **Fails** as `resolveBinary`, `makeSandbox` and `ProcessHost.spawn` do; the last with the program and the sandbox, of which
 * nothing is left; with `ProfileInvalid` for an agent that does not speak ACP
 * **Source** agent-harness.md, sections 2.3 and 3.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const startRawClient = async (world: HarnessWorld, start: RawStart): Promise<RawStdioClient> => {
  const { profile, mockUrl, env = {}, leadingArgs = [], ...behaviour } = start
  const { parent, files, run } = world.sandboxes
  const binary = await resolveBinary(profile, { parent, files, run })
  const sandbox = await makeSandbox(world.sandboxes, { profile, ...(mockUrl === undefined ? {} : { mockUrl }) })
  try {
    const environment = sandbox.environment({ changes: [{ kind: "extend", values: env }] })
    const process = await world.host.spawn({
      ...startedBy(binary, acpArguments(profile, { values: sandbox.paths, leadingArgs })),
      cwd: start.cwd ?? sandbox.paths.workspace,
      environment,
      label: `${profile.id} agent stdio`,
      stdin: "piped",
      stdout: "piped"
    })
    return makeRawClient({
      ...behaviour,
      supervisor: world.supervisor,
      process,
      shown: (text) => world.redact(text, environment),
      timeoutScale: world.timeoutScale,
      eofMs: profile.acp?.exitsOnStdinEof.withinMs ?? 0,
      release: sandbox.close
    })
  } catch (error) {
    const failure = placedFailure(error, binary.path, sandbox)
    await sandbox.close().catch((second: unknown) => world.sandboxes.tell(`warning: ${String(second)}`))
    throw failure
  }
}
