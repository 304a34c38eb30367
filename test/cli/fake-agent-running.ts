import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { requestLine } from "../../src/wire/acp/write-line.ts"
import { bundledCommand, endOf } from "./bundled-command.ts"
import { type Lines, linesOf } from "./lines.ts"

/** A fake agent as a process. */
export interface Launched {
  readonly child: ChildProcessWithoutNullStreams
  /** Exit code, or the name of the signal that ended it; its output has ended as well. */
  readonly ended: Promise<number | string | null>
}

/** The same with a client that speaks in lines. */
export interface FakeAgentProcess extends Launched {
  readonly out: Lines
  readonly err: Lines
  send(line: string): void
  request(id: number | string, method: string, params?: unknown): void
  /** The response to a request, the first one if there are several. */
  response(id: number | string): Promise<Readonly<Record<string, unknown>>>
  /** A session, and a prompt in it, as request 2. */
  prompt(text: string): Promise<void>
}

/** Bundles the command once for the tests of a file; all processes are ended behind each test. */
export const fakeAgentProcesses = () => {
  const { folder, cli, kept } = bundledCommand()

  const launch = (words: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): Launched => {
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...variables }
    const child = kept(spawn(process.execPath, [cli, "fake-agent", ...words], { stdio: ["pipe", "pipe", "pipe"], env }))
    // One that has ended reads no more; that is no failure of the test.
    child.stdin.on("error", () => {})
    return { child, ended: endOf(child, "close") }
  }
  const start = (words: ReadonlyArray<string>, variables?: Readonly<Record<string, string>>): FakeAgentProcess => {
    const { child, ended } = launch(words, variables)
    const out = linesOf(child.stdout)
    const send = (line: string): void => void child.stdin.write(`${line}\n`)
    const request = (id: number | string, method: string, params: unknown = {}): void =>
      send(requestLine(id, method, params))
    const response = async (id: number | string): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse(await out.first((line) => line.startsWith(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},`)))
    return {
      child,
      out,
      err: linesOf(child.stderr),
      ended,
      send,
      request,
      response,
      async prompt(text) {
        request(1, "session/new", { cwd: "/", mcpServers: [] })
        const { sessionId } = Object(await response(1)).result
        request(2, "session/prompt", { sessionId, prompt: [{ type: "text", text }] })
      }
    }
  }
  return { launch, start, folder, cli }
}
