import type { RunProgram } from "../../ports/run-program.ts"
import type { ProcessHost } from "../process/process-host.ts"

/** So much of each stream is kept, the end of it. */
const keptBytesMax = 16 * 1024 * 1024

/**
 * Runs programs as owned processes: whatever they start is gone when they are, and nothing outlives the host.
 *
 * **Fails**, when it is called, as `ProcessHost.spawn` does
 * **Source** agent-harness.md, sections 1.2, rule 5, and 1.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const runOwned =
  (host: ProcessHost): RunProgram =>
  async ({ program, args, cwd, environment }) => {
    await using process = await host.spawn({ program, args, cwd, environment, tailBytes: keptBytesMax })
    const { code, signal } = await process.wait()
    return { code, signal, stdout: process.stdout.text(), stderr: process.stderr.text() }
  }
