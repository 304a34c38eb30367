import { packageVersion } from "../campaign/package-version.ts"
import { suggestion } from "../domain/spelling.ts"
import { agentCommand } from "./agent-command.ts"
import { asks, type Command, commonOptions, refuse, say } from "./command.ts"
import type { CommandIo } from "./command-io.ts"
import { explainCommand } from "./explain-command.ts"
import { exploreCommand } from "./explore-command.ts"
import { fakeAgentCommand } from "./fake-agent-command.ts"
import { faultsCommand } from "./faults-command.ts"
import { columns, optionColumns } from "./help-text.ts"
import { passOverLostReaders } from "./lost-readers.ts"
import { proxyCommand } from "./proxy-command.ts"
import { proxyControlCommand } from "./proxy-control-command.ts"
import { replayCommand } from "./replay-command.ts"
import { makeServeCommand } from "./serve-command.ts"
import { shrinkCommand } from "./shrink-command.ts"

const commands: Readonly<Record<string, Command>> = {
  serve: makeServeCommand(async () => (await import("./serve.ts")).serve),
  faults: faultsCommand,
  proxy: proxyCommand,
  "proxy-control": proxyControlCommand,
  explore: exploreCommand,
  replay: replayCommand,
  shrink: shrinkCommand,
  explain: explainCommand,
  agent: agentCommand,
  "fake-agent": fakeAgentCommand
}

/**
 * Runs `understudy` with the words of its command line and gives the exit code: 0 for a clean end, 1 for a failed run, 2
 * for a bad command line; `faults` has codes of its own.
 *
 * **Fails** only by a defect of ours
 *
 * @since 0.1.0
 * @category running
 */
export const run = async (argv: ReadonlyArray<string>, io: CommandIo): Promise<number> => {
  passOverLostReaders(io)
  const [name, ...rest] = argv
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command.run(rest, io)
  // `help serve` asks what `serve --help` asks.
  const [about] = rest
  const subject = name === "help" && about !== undefined && Object.hasOwn(commands, about) ? commands[about] : undefined
  if (subject !== undefined) return subject.run(["--help"], io)
  if (name === "help" || asks(argv, "--help")) return say(io, help())
  if (asks(argv, "--version")) return say(io, `${packageVersion()}\n`)
  return refuse(io, "understudy", [complaint(name)])
}

const complaint = (name: string | undefined): string => {
  const names = Object.keys(commands)
  const known = `commands are: ${names.join(", ")}`
  if (name === undefined) return `no command was given; ${known}`
  if (name.startsWith("-")) return `unknown option ${JSON.stringify(name)}; a command comes first; ${known}`
  return `unknown command ${JSON.stringify(name)}${suggestion(name, names) || `; ${known}`}`
}

const help = (): string =>
  [
    "Usage: understudy COMMAND [options]",
    "Stands in for the model provider, the network and the clock.",
    columns(Object.entries(commands).map(([name, { summary }]) => [name, summary])),
    optionColumns(commonOptions),
    'Run "understudy COMMAND --help" for the options of a command.\n'
  ].join("\n\n")
