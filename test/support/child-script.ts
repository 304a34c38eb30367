import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { build } from "esbuild"
import { onTestFinished } from "vitest"

/** A script of this folder in a process of its own. */
export interface ChildScript {
  /** Waits for the next line of its output. */
  line(): Promise<string>
  /** Waits for its end; gives the exit code and what it said on stderr. */
  exit(): Promise<{ readonly code: number | null; readonly stderr: string }>
  /** Ends its input, which asks it to end. */
  finish(): void
}

/** Bundles `test/support/NAME.ts` and runs it with these arguments, and `env` besides what is there. It is killed when the test is over. */
export const startScript = async (
  name: string,
  args: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {}
): Promise<ChildScript> => {
  const folder = await mkdtemp(join(tmpdir(), "understudy-script-"))
  const outfile = join(folder, `${name}.mjs`)
  const entry = resolve(import.meta.dirname, `${name}.ts`)
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" })
  const child = spawn(process.execPath, [outfile, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env }
  })
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  })

  const lines: Array<string> = []
  const waiting: Array<(line: string) => void> = []
  let rest = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const pieces = `${rest}${text}`.split("\n")
    rest = pieces.pop() ?? ""
    for (const piece of pieces) (waiting.shift() ?? ((line: string) => lines.push(line)))(piece)
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  const exited = new Promise<number | null>((done) => child.once("close", done))
  return {
    line: () =>
      new Promise((done, failed) => {
        const first = lines.shift()
        if (first !== undefined) done(first)
        else waiting.push(done)
        exited.then((code) => failed(new Error(`the script ended with ${code}:\n${stderr}`)))
      }),
    exit: async () => ({ code: await exited, stderr }),
    finish: () => void child.stdin.end()
  }
}
