import { packageVersion } from "../campaign/package-version.ts"
import { InvalidOption, StartFailed } from "../domain/errors.ts"
import { isFaultName } from "../domain/fault-names.ts"
import { closest } from "../domain/spelling.ts"
import { type Command, commonOptions, say } from "./command.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { faultsHelp, faultsUsage, fitUsage, listUsage, simulateUsage } from "./faults-help.ts"
import { faultsOptions, fitOptions, simulateOptions } from "./faults-options.ts"
import { heedSignals } from "./faults-stop.ts"
import { type GivenOptions, type OptionTable, readOptions } from "./option-table.ts"

/** One of the things that `understudy faults` does; `start` gives the exit code. */
interface Deed {
  /** The words behind `understudy faults` that ask for it. */
  readonly words: ReadonlyArray<string>
  /** What the one word behind them is, if one is needed. */
  readonly operand?: string
  readonly options: OptionTable
  readonly usage: () => string
  /** The same with more, where there is more to tell. */
  readonly help?: () => string
  readonly start: (given: GivenOptions, io: CommandIo, operand: string) => Promise<number>
}

const serve: Deed = {
  words: [],
  options: faultsOptions,
  usage: faultsUsage,
  help: faultsHelp,
  start: async (given, io) => {
    const { readFaults } = await import("./faults-check.ts")
    const plan = await readFaults(given)
    // Not before: who reads a script from a pipe that nobody writes to must be able to stop that.
    const stop = heedSignals(io)
    return (await import("./faults.ts")).faults(plan, io, { stop })
  }
}

const deeds: ReadonlyArray<Deed> = [
  {
    words: ["list"],
    options: commonOptions,
    usage: listUsage,
    start: async (_, io) => say(io, (await import("./faults-list.ts")).faultsList())
  },
  {
    words: ["simulate"],
    options: simulateOptions,
    usage: simulateUsage,
    start: async (given, io) => (await import("./faults-simulate.ts")).simulate(given, io)
  },
  {
    words: ["profile", "fit"],
    operand: "FILE",
    options: fitOptions,
    usage: fitUsage,
    start: async (given, io, file) => (await import("./faults-fit.ts")).fit(file, given, io)
  }
]

/**
 * `understudy faults`: what it does is loaded when it is asked for. A command line that is wrong is told by its first
 * problem and the usage, with exit code 1.
 *
 * **Source** fault-server.md, sections 4.1 and 4.3
 */
export const faultsCommand: Command = {
  summary: "Serve a provider that fails as it is told: in order, or by chance with a seed",
  async run(argv, io) {
    const deed = deeds.find(({ words }) => words.every((word, index) => argv[index] === word)) ?? serve
    if (argv.includes("--help")) return say(io, (deed.help ?? deed.usage)())
    const problem = strayWord(deed, argv) ?? (await carryOut(deed, argv.slice(deed.words.length), io))
    if (typeof problem === "number") return problem
    io.stderr.write(`${["understudy faults", ...deed.words].join(" ")}: ${problem}\n\n${deed.usage()}`)
    return exitCodes.failed
  }
}

/** What is wrong with a first word that is no option: most likely it was meant for one of the deeds, or for a sequence. */
const strayWord = (deed: Deed, argv: ReadonlyArray<string>): string | null => {
  const [word = "-"] = argv
  if (deed !== serve || word.startsWith("-")) return null
  const [entry = ""] = word.split(/[,:*]/)
  const meant = isFaultName(entry) ? `understudy faults --sequence ${word}` : lineFor(word)
  const advice =
    meant === undefined
      ? `only options are allowed here, or ${deeds.map(lineOf).join(", ")}`
      : `did you mean ${JSON.stringify(meant)}?`
  return `unexpected argument ${JSON.stringify(word)}; ${advice}`
}

const lineFor = (word: string): string | undefined => {
  const first = closest(
    word,
    deeds.map(({ words }) => words[0] ?? "")
  )
  return deeds.filter(({ words }) => words[0] === first).map(lineOf)[0]
}

const lineOf = ({ words, operand }: Deed): string =>
  ["understudy faults", ...words, ...(operand === undefined ? [] : [operand])].join(" ")

/** Gives the exit code, or what was wrong. */
const carryOut = async (deed: Deed, argv: ReadonlyArray<string>, io: CommandIo): Promise<number | string> => {
  const [first] = argv
  const operand = deed.operand !== undefined && first !== undefined && !first.startsWith("-") ? first : undefined
  const read = readOptions(deed.options, operand === undefined ? argv : argv.slice(1))
  if (!read.ok) return read.problems[0] ?? "the command line is wrong"
  if (read.given.has(commonOptions.version)) return say(io, `${packageVersion()}\n`)
  if (deed.operand !== undefined && operand === undefined) return `${deed.operand} is required as the first argument`
  try {
    return await deed.start(read.given, io, operand ?? "")
  } catch (error) {
    if (error instanceof InvalidOption || error instanceof StartFailed || error instanceof RunFailed) {
      return error.message
    }
    throw error
  }
}
