import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { redactedOutput } from "../../src/harness/diagnostics/sanitised-output.ts"
import type { HarnessWorld } from "../../src/harness/harness-world.ts"
import type { TextMap } from "../../src/harness/profile/agent-profile.ts"
import { runOwned } from "../../src/harness/sandbox/run-owned.ts"
import { liveClock } from "../../src/live/clock.ts"
import { liveFiles } from "../../src/live/files.ts"
import { sandboxBaseFolder } from "../../src/live/parent-process.ts"
import { makeLiveStreams } from "../../src/live/stream-sockets.ts"
import { makeProcessWorld, type ProcessWorld } from "./process-world.ts"

/** A world of real processes and files for one test; what is left of it is removed. */
export interface LiveAgentWorld extends HarnessWorld {
  readonly processes: ProcessWorld
  /** The folder in which its sandboxes are. */
  readonly baseFolder: string
  readonly told: ReadonlyArray<string>
}

export const liveAgentWorld = (variables: TextMap = {}): LiveAgentWorld => {
  const processes = makeProcessWorld()
  const baseFolder = mkdtempSync(join(sandboxBaseFolder(), "us-test-"))
  onTestFinished(() => rmSync(baseFolder, { recursive: true, force: true }))
  const told: Array<string> = []
  return {
    processes,
    baseFolder,
    told,
    supervisor: processes.supervisor,
    clock: liveClock,
    host: processes.host,
    redact: redactedOutput,
    timeoutScale: () => 1,
    showsTiming: false,
    streams: makeLiveStreams(),
    sandboxes: {
      parent: {
        platform: process.platform,
        variables: { PATH: process.env["PATH"] ?? "", ...variables },
        cwd: process.cwd()
      },
      files: liveFiles,
      clock: liveClock,
      run: runOwned(processes.host),
      baseFolder,
      tell: (line) => told.push(line)
    }
  }
}
