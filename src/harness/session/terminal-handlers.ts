import { filePathsOf } from "../../domain/file-paths.ts"
import { isHarnessError } from "../../domain/harness-error.ts"
import { member } from "../../domain/json.ts"
import type { OutputStream } from "../../ports/process-port.ts"
import { type FilledTail, makeOutputTail } from "../process/output-tail.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { ProcessHost } from "../process/process-host.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import type { AgentRequest, RequestAnswer } from "./agent-request.ts"
import { countMember, invalid, missing, result, textMember } from "./handler-answers.ts"
import type { RequestHandler } from "./session-behaviour.ts"

/** Where an agent's commands run. */
export interface TerminalRoom {
  readonly host: ProcessHost
  readonly platform: string
  readonly cwd: string
  /** The environment of a command, with the variables that the agent asked for. */
  environment(variables: TextMap): TextMap
}

/** Commands of an agent, and what ends those that are left. */
export interface Terminals {
  readonly handlers: Readonly<Record<string, RequestHandler>>
  /** Kills what runs, and waits until nothing of it is left. **Fails** with `KillTimeout` */
  close(): Promise<void>
}

interface Terminal {
  readonly process: OwnedProcess
  readonly output: FilledTail
}

/** What such handlers advertise. */
export const terminalCapabilities = { terminal: true } as const

/** So much of an output is kept when the agent names no limit, and at most. */
const outputBytesDefault = 1_048_576
const outputBytesMax = 67_108_864

/** So many commands of one agent may be there at once. */
const terminalsMax = 100

/**
 * Answers `terminal/*` by processes of our own, in the environment of the sandbox.
 *
 * **Source** agent-harness.md, section 2.5
 *
 * @since 0.1.0
 * @category sessions
 */
export const makeTerminals = (room: TerminalRoom): Terminals => {
  const terminals = new Map<string, Terminal>()
  let created = 0
  let isClosed = false

  const create = async ({ params }: AgentRequest): Promise<RequestAnswer> => {
    const asked = readCommand(params, room)
    if ("kind" in asked) return asked
    if (terminals.size >= terminalsMax) return invalid(`there are ${terminalsMax} terminals; release one`)
    const { command, args, cwd, variables, outputBytes } = asked
    const terminalId = `terminal-${++created}`
    try {
      const process = await room.host.spawn({
        program: command,
        args,
        cwd,
        environment: room.environment(variables),
        label: terminalId,
        stdout: "piped",
        stderr: "piped"
      })
      // Started while the session ended: nobody else would end it.
      if (isClosed) await process.kill()
      terminals.set(terminalId, { process, output: collected(process, outputBytes) })
      return result({ terminalId })
    } catch (error) {
      if (isHarnessError(error)) return missing(error.message)
      throw error
    }
  }

  const withTerminal =
    (work: (terminal: Terminal, terminalId: string) => Promise<RequestAnswer> | RequestAnswer): RequestHandler =>
    ({ params }) => {
      const terminalId = textMember(params, "terminalId") ?? ""
      const terminal = terminals.get(terminalId)
      return terminal === undefined ? missing(`there is no terminal ${terminalId}`) : work(terminal, terminalId)
    }

  return {
    handlers: {
      "terminal/create": create,
      "terminal/output": withTerminal(({ process, output }) =>
        result({ output: output.text(), truncated: output.isTruncated(), ...exitStatusOf(process) })
      ),
      "terminal/wait_for_exit": withTerminal(async ({ process }) => {
        const { code, signal } = await process.wait()
        return result({ exitCode: code, signal })
      }),
      "terminal/kill": withTerminal(async ({ process }) => {
        await process.kill()
        return result({})
      }),
      "terminal/release": withTerminal(async ({ process }, terminalId) => {
        terminals.delete(terminalId)
        await process.kill()
        return result({})
      })
    },
    async close() {
      isClosed = true
      const open = [...terminals.values()]
      terminals.clear()
      await Promise.all(open.map(({ process }) => process.kill()))
    }
  }
}

interface Command {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly variables: TextMap
  readonly outputBytes: number
}

const readCommand = (params: unknown, { platform, cwd: ownCwd }: TerminalRoom): Command | RequestAnswer => {
  const command = textMember(params, "command")
  if (command === null || command === "") return invalid("command is no text")
  const args = member(params, "args") ?? []
  if (!isTexts(args)) return invalid("args are no texts")
  const cwd = member(params, "cwd") ?? ownCwd
  if (typeof cwd !== "string" || !filePathsOf(platform).isAbsolute(cwd)) return invalid("cwd is no absolute path")
  const outputBytes = countMember(params, "outputByteLimit", { least: 0, fallback: outputBytesDefault })
  if (outputBytes === null) return invalid("outputByteLimit is no number from 0 on")
  const env = member(params, "env") ?? []
  if (!Array.isArray(env)) return invalid("env is no list")
  const pairs = env.map((one): readonly [string | null, string | null] => [
    textMember(one, "name"),
    textMember(one, "value")
  ])
  const variables: Array<readonly [string, string]> = []
  for (const [name, value] of pairs) {
    if (name === null || value === null) return invalid("env has an entry without name and value")
    variables.push([name, value])
  }
  return {
    command,
    args,
    cwd,
    variables: Object.fromEntries(variables),
    outputBytes: Math.min(outputBytes, outputBytesMax)
  }
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

/** What a command writes to both streams, as it comes; of too much the end. */
const collected = (process: OwnedProcess, bytesMax: number): FilledTail => {
  const output = makeOutputTail(bytesMax)
  const streams: ReadonlyArray<OutputStream> = ["stdout", "stderr"]
  for (const stream of streams) process.read(stream, { received: output.push, ended: () => {} })
  return output
}

const exitStatusOf = ({ status }: OwnedProcess): { readonly exitStatus?: unknown } =>
  status === undefined ? {} : { exitStatus: { exitCode: status.code, signal: status.signal } }
