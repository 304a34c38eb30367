import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { sha256 } from "../domain/digest.ts"
import { describe, isRecord } from "../domain/json.ts"
import { suggestion } from "../domain/spelling.ts"
import type { CampaignOptions, SimProgram } from "./campaign.ts"
import { ModuleRefused } from "./module-refused.ts"
import { programOptions } from "./program-options.ts"

/** A program of a module, ready to run. */
export interface NamedProgram {
  /** What the module calls it, or the name of its export; the default export is named after its file. */
  readonly name: string
  readonly exportName: string
  readonly options: CampaignOptions
  readonly run: SimProgram
  /** Why it cannot be run, which costs none of the others; `null` when it can. */
  readonly problem: string | null
}

const example = 'export default { name: "checkout", options: { runs: 300 }, run: async (sim) => { ... } }'

/**
 * Loads a module by its path and gives the programs that it exports: objects with a function `run`, as default or by name. One
 * that cannot be run says why.
 *
 * **Fails** with `ModuleRefused`
 *
 * @since 0.1.0
 * @category running
 */
export const loadPrograms = async (path: string): Promise<ReadonlyArray<NamedProgram>> => {
  const file = resolve(path)
  checkThere(path, file)
  const exported = await imported(path, file)
  const seen = new Set<unknown>()
  // Node gives names in their order, and others load modules too.
  const entries = Object.entries(exported).sort(([one], [other]) => (one < other ? -1 : 1))
  const programs = entries.flatMap(([exportName, value]) => {
    // Most modules that name a program also export it as default: once is enough.
    if (!isRecord(value) || !Object.hasOwn(value, "run") || seen.has(value)) return []
    seen.add(value)
    return [readProgram(value, { path, file, exportName })]
  })
  if (programs.length === 0) throw new ModuleRefused(noPrograms(path, exported))
  const double = programs.find(({ name }, index) => programs.findIndex((other) => other.name === name) < index)
  if (double !== undefined) {
    throw new ModuleRefused(`${path} exports two programs named ${JSON.stringify(double.name)}; give one another name`)
  }
  return programs
}

/** What tells two versions of a module file apart; what it imports does not count. Empty where it cannot be read. */
export const moduleHash = (path: string): string => {
  try {
    return sha256(readFileSync(path, "utf8")).slice(0, 16)
  } catch {
    return ""
  }
}

const checkThere = (path: string, file: string): void => {
  if (existsSync(file)) return
  const folder = dirname(file)
  if (!existsSync(folder)) throw new ModuleRefused(`there is no module ${path}: there is no folder ${folder}`)
  const names = readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name))
  const near = suggestion(basename(file), names)
  const there = names.length === 0 ? "no modules" : names.slice(0, namesMax).join(", ")
  throw new ModuleRefused(`there is no module ${path}${near || `; in ${folder} there are ${there}`}`)
}

/** So many names are listed. */
const namesMax = 12

const imported = async (path: string, file: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    throw new ModuleRefused(notLoaded(path, error))
  }
}

const notLoaded = (path: string, error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" && /\.[cm]?ts$/.test(path)) {
    const advice =
      'run this with Node 22.18 or newer, with NODE_OPTIONS="--import tsx" or exploreModule(FILE, { execArgv: ["--import", "tsx"] }), ' +
      "or give the compiled file; what a test runner makes of TypeScript does not reach threads"
    return `${path} is TypeScript, which Node ${process.versions.node} does not load by itself: ${advice}`
  }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" || /^ERR_IMPORT_A\w+_MISSING$/.test(String(code))) {
    return `${path} is no module: ${extname(path) || "without an extension"} cannot be loaded; give a .mjs, .js or .ts file`
  }
  if (code === "ERR_UNSUPPORTED_DIR_IMPORT") return `${path} is a folder; give the file of a module in it`
  return `${path} throws while it is loaded:\n${shortStack(error)}`
}

/** So many lines of a stack are told. */
const stackLinesMax = 8

const shortStack = (error: unknown): string => {
  if (!(error instanceof Error)) return `  thrown: ${describe(error)}`
  const lines = (error.stack ?? String(error)).split("\n").filter((line) => !/\(?node:internal/.test(line))
  return lines
    .slice(0, stackLinesMax)
    .map((line) => `  ${line}`)
    .join("\n")
}

const noPrograms = (path: string, exported: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(exported)
  const there = names.slice(0, namesMax).map((name) => `${name} (${kindOf(exported[name])})`)
  const what = names.length === 0 ? "it exports nothing" : `it exports ${there.join(", ")}`
  const bare = typeof exported["default"] === "function" ? "; the function belongs into { run }" : ""
  return `${path} has no program: ${what}${bare}. A program is an object with a function run, such as\n  ${example}`
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") {
    const keys = Object.keys(value)
    return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 6).join(", ")}`
  }
  return `a ${typeof value}`
}

const memberNames = ["run", "name", "options"]

const readProgram = (
  value: Readonly<Record<string, unknown>>,
  at: { readonly path: string; readonly file: string; readonly exportName: string }
): NamedProgram => {
  const { path, file, exportName } = at
  const { run, name: given, options, ...others } = value
  const plain = exportName === "default" ? basename(file).replace(/\.[cm]?[jt]s$/, "") : exportName
  const name = typeof given === "string" && given.trim() !== "" ? given : plain
  const refuse = (problem: string): never => {
    throw new ModuleRefused(`${path}: the program ${JSON.stringify(name)}: ${problem}`)
  }
  try {
    return { name, exportName, problem: null, ...partsOf({ run, given, options, others }, name, refuse) }
  } catch (error) {
    if (!(error instanceof ModuleRefused)) throw error
    const run = (): never => {
      throw error
    }
    return { name, exportName, options: {}, run, problem: error.message }
  }
}

/** The parts of a program that the module gives. */
const partsOf = (
  {
    run,
    given,
    options,
    others
  }: { readonly run: unknown; readonly given: unknown; readonly options: unknown; readonly others: object },
  name: string,
  refuse: (problem: string) => never
): Pick<NamedProgram, "options" | "run"> => {
  const [stray] = Object.keys(others)
  if (stray !== undefined)
    return refuse(
      `there is no ${JSON.stringify(stray)}${suggestion(stray, memberNames) || `; a program has ${memberNames.join(", ")}`}`
    )
  if (!isProgram(run))
    return refuse(`run is ${kindOf(run)}; give a function of the simulated world, async (sim) => { ... }`)
  if (given !== undefined && name !== given) return refuse(`name is ${describe(given)}; give a text, or leave it out`)
  return { options: programOptions(options, refuse), run }
}

const isProgram = (value: unknown): value is SimProgram => typeof value === "function"
