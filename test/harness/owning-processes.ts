import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { build } from "esbuild"
import { afterAll, beforeAll, onTestFinished } from "vitest"

/** A running `fixtures/owning-process.ts`. */
export interface OwningProcess {
  readonly child: ChildProcess
  /** The numbers of all that it owns. */
  readonly owned: ReadonlyArray<number>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Bundles the fixture once for the tests of a file; gives what starts it. */
export const owningProcesses = (): ((mode: string, watched?: "watched" | "unwatched") => Promise<OwningProcess>) => {
  let folder = ""
  let program = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "understudy-owning-"))
    program = join(folder, "owning-process.mjs")
    const entry = resolve(import.meta.dirname, "fixtures/owning-process.ts")
    await build({
      entryPoints: [entry],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error"
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  return async (mode, watched = "watched") => {
    const child = spawn(process.execPath, [program, mode, watched], { stdio: ["ignore", "pipe", "ignore"] })
    onTestFinished(() => void child.kill("SIGKILL"))
    const ended: OwningProcess["ended"] = new Promise((done) => {
      child.once("exit", (code, signal) => done({ code, signal }))
    })
    const line = await new Promise<string>((done, failed) => {
      child.stdout.setEncoding("utf8").on("data", done)
      ended.then(() => setImmediate(failed, new Error("the process ended and said nothing")))
    })
    return { child, owned: line.trim().split(" ").map(Number), ended }
  }
}
