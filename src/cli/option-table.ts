import { parseArgs } from "node:util"
import { suggestion } from "../domain/spelling.ts"

/** What a reader makes of the text of an option: its value, or what is wrong and allowed. */
export type OptionReading<A> = { readonly value: A } | { readonly problem: string }

/** An option that is there or not. */
export interface FlagOption {
  readonly kind: "flag"
  readonly help: string
}

/** An option with a value. `placeholder` stands for it in the help; `read` is pure. */
export interface ValueOption<A> {
  readonly kind: "value"
  readonly placeholder: string
  readonly help: string
  readonly read: (text: string) => OptionReading<A>
  /** Whether a word without an option is most likely meant for this one. */
  readonly claims?: (word: string) => boolean
}

/** The options of a command by long name: what is parsed, checked and shown in its help. */
export type OptionTable = Readonly<Record<string, FlagOption | ValueOption<unknown>>>

/** A word that stands by itself, without an option's name. */
export interface Operand {
  readonly placeholder: string
  readonly help: string
  readonly isOptional?: boolean
  /** Whether it stands for all the words that are left; of the last one alone. */
  readonly isRepeated?: boolean
}

/** Options that were given, all of them valid. */
export interface GivenOptions {
  /** The words by themselves, in the order of the operands. */
  readonly operands: ReadonlyArray<string>
  has(option: FlagOption | ValueOption<unknown>): boolean
  /** The value, `undefined` when the option was not given. */
  value<A>(option: ValueOption<A>): A | undefined
  /** All values of an option that may be repeated, in their order. */
  values<A>(option: ValueOption<A>): ReadonlyArray<A>
}

/** What a command line came to: values by option, or what is wrong with it. */
export type OptionsRead =
  | { readonly ok: true; readonly given: GivenOptions }
  | { readonly ok: false; readonly problems: ReadonlyArray<string> }

/**
 * Reads the words after a command's name. `--name value` and `--name=value` are equal, a value that begins with `-` needs
 * the second form. Of repeated options the last one counts, unless all `values` are asked for. Words by themselves are `operands`, as many as there are of these.
 *
 * **Gives** every problem at once, in the order of the words; operands that are missing come last
 *
 * @since 0.1.0
 * @category encoding
 */
export const readOptions = (
  table: OptionTable,
  argv: ReadonlyArray<string>,
  operands: ReadonlyArray<Operand> = []
): OptionsRead => {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(table).map(([name, { kind }]) => [name, { type: kind === "flag" ? "boolean" : "string" } as const])
    )
  })
  const texts = new Map<FlagOption | ValueOption<unknown>, ReadonlyArray<string>>()
  const words: Array<string> = []
  // The word behind an unknown option is most likely its value, and no problem of its own.
  let excused = -1
  const problems = tokens.flatMap((token): ReadonlyArray<string> => {
    if (token.kind === "option-terminator") return []
    if (token.kind === "positional") {
      if (token.index === excused) return []
      if (words.push(token.value) <= operands.length || operands.at(-1)?.isRepeated === true) return []
      return [strayArgument(table, token.value, operands)]
    }
    const option = Object.hasOwn(table, token.name) && token.rawName.startsWith("--") ? table[token.name] : undefined
    if (option === undefined) {
      excused = token.index + 1
      return [unknownOption(table, token.rawName)]
    }
    const problem = problemOf(option, { value: token.value, isInline: token.inlineValue === true })
    if (problem === null) texts.set(option, [...(texts.get(option) ?? []), token.value ?? ""])
    return problem === null ? [] : [`${token.rawName} ${problem}`]
  })
  const missing = operands
    .slice(words.length)
    .filter(({ isOptional }) => isOptional !== true)
    .map(({ placeholder, help }) => `${placeholder} is missing: ${help}`)
  if (problems.length + missing.length > 0) return { ok: false, problems: [...problems, ...missing] }
  const values = <A>(option: ValueOption<A>): ReadonlyArray<A> =>
    (texts.get(option) ?? []).flatMap((text) => {
      const reading = option.read(text)
      return "value" in reading ? [reading.value] : []
    })
  return {
    ok: true,
    given: { operands: words, has: (option) => texts.has(option), value: (option) => values(option).at(-1), values }
  }
}

const strayArgument = (table: OptionTable, word: string, operands: ReadonlyArray<Operand>): string => {
  const claimant = Object.entries(table).find(([, option]) => option.kind === "value" && option.claims?.(word) === true)
  const places = operands.map(({ placeholder }) => placeholder).join(" and ")
  const allowed = places === "" ? "only options are allowed here" : `only ${places} may stand without an option`
  const advice = claimant === undefined ? allowed : `did you mean --${claimant[0]} ${JSON.stringify(word)}?`
  return `unexpected argument ${JSON.stringify(word)}; ${advice}`
}

const unknownOption = (table: OptionTable, rawName: string): string => {
  const names = Object.keys(table).map((name) => `--${name}`)
  const found = suggestion(rawName, names)
  return found === ""
    ? `unknown option ${JSON.stringify(rawName)}; known are ${names.join(", ")}`
    : `unknown option ${JSON.stringify(rawName)}${found}`
}

const problemOf = (
  option: FlagOption | ValueOption<unknown>,
  given: { readonly value: string | undefined; readonly isInline: boolean }
): string | null => {
  const { value, isInline } = given
  if (option.kind === "flag") return value === undefined ? null : "takes no value; leave out the = and what follows"
  if (value === undefined) return `needs a value: ${option.placeholder}`
  if (!isInline && value.length > 1 && value.startsWith("-")) {
    return `needs a value: ${option.placeholder}; one that begins with - is written with =`
  }
  const reading = option.read(value)
  return "problem" in reading ? reading.problem : null
}
