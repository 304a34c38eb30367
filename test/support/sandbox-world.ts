import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { TextMap } from "../../src/harness/profile/agent-profile.ts"
import { runOwned } from "../../src/harness/sandbox/run-owned.ts"
import type { Sandbox, SandboxWorld } from "../../src/harness/sandbox/sandbox.ts"
import { liveClock } from "../../src/live/clock.ts"
import { liveFiles } from "../../src/live/files.ts"
import { sandboxBaseFolder } from "../../src/live/parent-process.ts"
import type { ProgramOutcome } from "../../src/ports/run-program.ts"
import { makeProcessWorld } from "../harness/process-world.ts"

/** A world of real files and programs, whose parent process has only these variables, and a `PATH`. */
export interface LiveSandboxWorld extends SandboxWorld, Disposable {
  readonly told: ReadonlyArray<string>
}

/** Removes itself, and what a test left in it. */
export const liveSandboxWorld = (variables: TextMap = {}, cwd = process.cwd()): LiveSandboxWorld => {
  const baseFolder = mkdtempSync(join(sandboxBaseFolder(), "us-test-"))
  const told: Array<string> = []
  return {
    parent: { platform: process.platform, variables: { PATH: process.env["PATH"] ?? "", ...variables }, cwd },
    files: liveFiles,
    clock: liveClock,
    run: runOwned(makeProcessWorld().host),
    baseFolder,
    told,
    tell: (line) => told.push(line),
    [Symbol.dispose]: () => rmSync(baseFolder, { recursive: true, force: true })
  }
}

const printer = join(import.meta.dirname, "../harness/fixtures/print-environment.mjs")

/** What a child of a sandbox sees, but for the mark of its start, which no two share. */
export const seenIn = async (sandbox: Sandbox, cwd = sandbox.paths.workspace): Promise<SeenByChild> => {
  const outcome = await runOwned(makeProcessWorld().host)({
    program: process.execPath,
    args: [printer],
    cwd,
    environment: sandbox.environment()
  })
  const { HARNESS_OWNER: _mark, ...env } = readSeen(outcome).env
  return { ...readSeen(outcome), env }
}

export interface SeenByChild {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly args: ReadonlyArray<string>
  readonly cwd: string
}

export const readSeen = ({ code, stdout, stderr }: ProgramOutcome): SeenByChild => {
  if (code !== 0) throw new Error(`the printer exited with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}
