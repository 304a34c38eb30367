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
