import { type ChildProcess, type ChildProcessByStdio, execFileSync } from "node:child_process"
import { cpSync, mkdirSync } from "node:fs"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import { afterEach, beforeAll } from "vitest"
import { type Lines, linesOf } from "./lines.ts"
import { tempFolder } from "./temp-folder.ts"

/** A process of the command. */
export interface HeardProcess<Stdin extends Writable | null = Writable | null> {
  readonly child: ChildProcessByStdio<Stdin, Readable, Readable>
  readonly out: Lines
  readonly err: Lines
  readonly stdout: Readable
  /** Exit code, or the name of the signal that ended it; its output has ended as well. */
  readonly ended: Promise<number | string | null>
}

/** Reads what a process says. */
export const heard = <Stdin extends Writable | null>(
  child: ChildProcessByStdio<Stdin, Readable, Readable>
): HeardProcess<Stdin> => ({
  child,
  out: linesOf(child.stdout),
  err: linesOf(child.stderr),
  stdout: child.stdout,
  ended: endOf(child, "close")
})

/** Exit code, or the name of the signal that ended it. */
export const endOf = (child: ChildProcess, event: "close" | "exit"): Promise<number | string | null> =>
  new Promise((resolve) => {
    child.once(event, (code, signal) => resolve(code ?? signal))
  })

/** The command as its users have it: the bundle of these sources, made once for the tests of a file. */
export const bundledCommand = () => {
  const root = fileURLToPath(new URL("../..", import.meta.url))
  const folder = tempFolder()
  const running = new Set<ChildProcess>()

  beforeAll(() => {
    mkdirSync(folder.path("stage"))
    cpSync(`${root}/package.json`, folder.path("stage/package.json"))
    const build = [`${root}/.ci/build.mjs`, "--no-types", "--out", folder.path("stage/dist")]
    execFileSync(process.execPath, build, { stdio: "pipe" })
  })
  afterEach(() => {
    for (const child of running) child.kill("SIGKILL")
    running.clear()
  })
  return {
    root,
    folder,
    cli: folder.path("stage/dist/cli.js"),
    /** Ends a process behind its test. */
    kept<Child extends ChildProcess>(child: Child): Child {
      running.add(child)
      return child
    }
  }
}
