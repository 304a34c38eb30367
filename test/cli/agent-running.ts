import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { afterEach } from "vitest"
import { pidAlive } from "../../src/live/proc-files.ts"
import { fakeAgentProcesses } from "./fake-agent-running.ts"
import { type Lines, linesOf } from "./lines.ts"

/** A run of `understudy agent` as a process. */
export interface AgentCommand {
  readonly child: ChildProcessWithoutNullStreams
  readonly out: Lines
  readonly err: Lines
  /** Exit code, or the name of the signal that ended it; its output has ended as well. */
  readonly ended: Promise<number | string | null>
  /** The numbers of the processes of its agent. */
  agents(): ReadonlyArray<number>
  /** What is in the folder in which it makes its sandbox. */
  sandboxes(): ReadonlyArray<string>
  /** Waits until its agent runs. */
  agentRuns(): Promise<void>
  /** Waits until nothing of its agent does. */
  agentIsGone(): Promise<void>
}

/** Bundles the command once for the tests of a file; all that is left is ended behind each test. */
export const agentCommands = () => {
  const { cli, folder } = fakeAgentProcesses()
  const running = new Set<AgentCommand>()
  let count = 0

  afterEach(() => {
    for (const { child, agents } of running) {
      child.kill("SIGKILL")
      for (const pid of agents()) process.kill(pid, "SIGKILL")
    }
    running.clear()
  })

  /** Each run has a folder of its own for its sandbox, and its agent a variable that no other has. */
  const start = (words: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): AgentCommand => {
    const mark = `AGENT_TEST_MARK=${process.pid}.${count++}.`
    const base = folder.path(`sandboxes-${count}`)
    mkdirSync(base)
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TMPDIR: base, ...variables }
    const child = spawn(process.execPath, [cli, "agent", ...words, "--env", mark], { cwd: base, env })
    child.stdin.on("error", () => {})
    const ended = new Promise<number | string | null>((resolve) => {
      child.once("close", (code, signal) => resolve(code ?? signal))
    })
    const agents = (): ReadonlyArray<number> => processesWith(mark)
    const command: AgentCommand = {
      child,
      out: linesOf(child.stdout),
      err: linesOf(child.stderr),
      ended,
      agents,
      sandboxes: () => readdirSync(base),
      agentRuns: () => until(() => agents().length > 0),
      agentIsGone: () => until(() => agents().length === 0)
    }
    running.add(command)
    return command
  }
  /** A run that ends by itself. */
  const finish = async (words: ReadonlyArray<string>, variables?: Readonly<Record<string, string>>) => {
    const command = start(words, variables)
    command.child.stdin.end()
    const code = await command.ended
    return { ...command, code, out: command.out.all.join("\n"), err: command.err.all.join("\n") }
  }
  const write = (name: string, text: string): string => {
    writeFileSync(folder.path(name), text)
    return folder.path(name)
  }
  return { start, finish, write, folder, cli }
}

/** Only the limit of the test bounds the wait. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Those that run and were started with a variable. */
const processesWith = (variable: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).split("\0").includes(variable) && pidAlive(pid))

const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8")
  } catch {
    return ""
  }
}
