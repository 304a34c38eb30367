import { parseArgs } from "node:util"
import type { OptionTable } from "./option-table.ts"

/**
 * The words of a command line with those of the environment: `FIXTURE_CHUNK_BYTES` is `--chunk-bytes`, unless that is given. A flag is
 * on unless its variable is empty, 0 or false; lines are the values of an option that may be repeated. `-p` is `--prompt`.
 *
 * **Source** agent-harness.md, appendix A
 *
 * @since 0.1.0
 * @category encoding
 */
export const wordsWithVariables = (
  argv: ReadonlyArray<string>,
  options: { readonly table: OptionTable; readonly variables: Readonly<Record<string, string | undefined>> }
): ReadonlyArray<string> => {
  const { table, variables } = options
  const given = withLongNames(argv)
  const added = Object.entries(table).flatMap(([name, option]) => {
    const text = variables[variableOf(name)] ?? ""
    const isGiven = given.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
    if (text === "" || isGiven || name === "help" || name === "version") return []
    if (option.kind === "flag") return text === "0" || text === "false" ? [] : [`--${name}`]
    return text.split("\n").map((line) => `--${name}=${line}`)
  })
  return [...added, ...given]
}

/** The variable that stands for an option. */
export const variableOf = (option: string): string => `FIXTURE_${option.toUpperCase().replaceAll("-", "_")}`

/** `-p TEXT` as one word, whatever the text looks like. */
const withLongNames = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = argv.indexOf("-p")
  const text = at < 0 ? undefined : argv[at + 1]
  return text === undefined ? argv : [...argv.slice(0, at), `--prompt=${text}`, ...argv.slice(at + 2)]
}

/**
 * Of the words of a command line those that are options of another command.
 *
 * **Takes** `table`: the options that the words were read by; `kept`: the names of those to keep
 *
 * @since 0.1.0
 * @category encoding
 */
export const wordsAlsoOf = (
  argv: ReadonlyArray<string>,
  { table, kept }: { readonly table: OptionTable; readonly kept: OptionTable }
): ReadonlyArray<string> => {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { kind }]) => [name, { type: kind === "flag" ? "boolean" : "string" } as const])
  )
  const { tokens } = parseArgs({ args: [...argv], strict: false, allowPositionals: true, tokens: true, options })
  return tokens.flatMap((token) => {
    if (token.kind !== "option" || !Object.hasOwn(kept, token.name)) return []
    return [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`]
  })
}
