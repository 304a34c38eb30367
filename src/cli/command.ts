import { packageVersion } from "../campaign/package-version.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import { columns, optionColumns } from "./help-text.ts"
import { type FlagOption, type GivenOptions, type Operand, type OptionTable, readOptions } from "./option-table.ts"

/**
 * One command of `understudy`. `run` takes the words after its name and gives the exit code.
 *
 * @since 0.1.0
 * @category models
 */
export interface Command {
  readonly summary: string
  readonly run: (argv: ReadonlyArray<string>, io: CommandIo) => Promise<number>
}

/** The options that every command has. */
export const commonOptions = {
  help: { kind: "flag", help: "show this help" },
  version: { kind: "flag", help: "show the version" }
} as const satisfies Readonly<Record<string, FlagOption>>

/**
 * A command from its option table. Help and version are answered, and everything that was asked is checked, before
 * `start` loads what does the work.
 *
 * **Takes** `check`: what is wrong in the combination of valid options
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeCommand = (parts: {
  readonly name: string
  readonly summary: string
  /** Words that stand by themselves; none by default. */
  readonly operands?: ReadonlyArray<Operand>
  readonly options: OptionTable
  /** Those that the help lists; all of them by default. */
  readonly listed?: OptionTable
  /** What the help says after the options. */
  readonly notes: string
  readonly check: (given: GivenOptions) => ReadonlyArray<string>
  readonly start: (given: GivenOptions, io: CommandIo) => Promise<number>
}): Command => {
  const { name, summary, operands = [], options, listed = options, notes, check, start } = parts
  const words = operands.map(({ placeholder, isOptional, isRepeated }) => {
    const word = isRepeated === true ? `${placeholder} ...` : placeholder
    return isOptional === true ? `[${word}]` : word
  })
  const meanings = operands.map(({ placeholder, help }) => [placeholder, help] as const)
  const help = [
    `Usage: understudy ${[name, ...words, "[options]"].join(" ")}`,
    `${summary}.`,
    ...(operands.length === 0 ? [] : [columns(meanings)]),
    optionColumns(listed),
    `${notes}\n`
  ].join("\n\n")
  return {
    summary,
    async run(argv, io) {
      if (asks(argv, "--help")) return say(io, help)
      if (asks(argv, "--version")) return say(io, `${packageVersion()}\n`)
      const read = readOptions(options, argv, operands)
      const problems = read.ok ? check(read.given) : read.problems
      if (read.ok && problems.length === 0) return start(read.given, io)
      return refuse(io, `understudy ${name}`, problems)
    }
  }
}

/** Whether a flag is anywhere before `--`, also in the place of a value. */
export const asks = (argv: ReadonlyArray<string>, flag: string): boolean => {
  const end = argv.indexOf("--")
  return argv.slice(0, end === -1 ? undefined : end).includes(flag)
}

/** Writes text for people to stdout; gives the exit code of a command that had nothing else to do. */
export const say = (io: CommandIo, text: string): number => {
  io.stdout.write(text)
  return exitCodes.ok
}

/** Tells what is wrong with a command line. */
export const refuse = (io: CommandIo, who: string, problems: ReadonlyArray<string>): number => {
  const lines = problems.map((problem) => `${who}: ${problem}\n`).join("")
  io.stderr.write(`${lines}\nRun "${who} --help" for what is allowed.\n`)
  return exitCodes.usage
}
