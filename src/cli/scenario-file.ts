import { formatPath, type ScenarioPath, type ScenarioProblem } from "../inference/scenario-problem.ts"
import { readScenario, type ScenarioOverrides, type ScenarioScript } from "../inference/scenario-script.ts"
import { readUpTo } from "./bounded-file.ts"
import { isInherited, specialFile } from "./special-file.ts"
import { type PlacedDocument, readDocument, type TextPlace } from "./yaml-document.ts"

/** A larger file is refused: it is read, kept and checked whole. */
export const scenarioBytesMax = 4 * 1024 * 1024

/** More problems are counted, not shown. */
const problemsMax = 100

/** What a scenario file says, or all that is wrong with it as lines with file, line, column and path. */
export type ScenarioFileReading =
  | { readonly ok: true; readonly script: ScenarioScript }
  | { readonly ok: false; readonly problems: ReadonlyArray<string> }

/** The bytes of a scenario file, or why there are none. */
export type ScenarioBytes =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly problems: ReadonlyArray<string> }

/**
 * Reads the bytes of a file or device up to the bound; of a pipe only when the process was started with it, for one that
 * nobody writes to would block everything, signals included.
 *
 * **Fails** never; what the system says is a problem
 *
 * @since 0.1.0
 * @category encoding
 */
export const readScenarioBytes = (file: string): ScenarioBytes => {
  try {
    const special = specialFile(file)
    if (special === "a socket" || (special === "a pipe" && !isInherited(file)))
      return { ok: false, problems: [noFile(file, special)] }
    const bytes = readUpTo(file, scenarioBytesMax + 1)
    if (bytes.length <= scenarioBytesMax) return { ok: true, bytes }
    return { ok: false, problems: [`${file} is larger than ${scenarioBytesMax} bytes; give a smaller scenario`] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, problems: [`cannot read the scenario ${JSON.stringify(file)}: ${reason}`] }
  }
}

const noFile = (file: string, special: string): string =>
  `cannot read the scenario ${JSON.stringify(file)}: it is ${special}; give a file, or <(command) of a shell`

/**
 * Reads a scenario from the bytes of its file: JSON when the name ends in `.json`, else YAML.
 *
 * **Gives** every problem at once, in the order of the file
 *
 * @since 0.1.0
 * @category encoding
 */
export const readScenarioFile = (
  file: string,
  options: ScenarioOverrides & { readonly bytes: Uint8Array }
): ScenarioFileReading => {
  const text = decode(options.bytes)
  if (text === null) return { ok: false, problems: [`${file}:1:1 is not valid UTF-8; save it as UTF-8`] }
  if (text.trim() === "")
    return { ok: false, problems: [`${file}:1:1 is empty; write {} for a scenario that sets nothing`] }
  const document = readDocument(text, /\.json$/i.test(file) ? "json" : "yaml")
  if (document.problems.length > 0) {
    return {
      ok: false,
      problems: inOrder(
        file,
        document.problems.map((problem) => ({ ...problem, path: [] }))
      )
    }
  }
  const reading = readScenario(document.value, options)
  if (reading.ok) return reading
  return {
    ok: false,
    problems: inOrder(
      file,
      reading.problems.map((problem) => placed(problem, document))
    )
  }
}

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

interface PlacedProblem extends TextPlace {
  readonly path: ScenarioPath
  readonly message: string
}

const placed = ({ path, at, message }: ScenarioProblem, document: PlacedDocument): PlacedProblem => ({
  ...document.place(path, at),
  path,
  message
})

/** The first problems of the file as lines; what is not shown is not written out either. */
const inOrder = (file: string, problems: ReadonlyArray<PlacedProblem>): ReadonlyArray<string> => {
  const lines = [...problems]
    .sort((left, right) => left.line - right.line || left.column - right.column)
    .slice(0, problemsMax)
    .map(({ line, column, path, message }) => `${file}:${line}:${column} ${pathPrefix(path)}${message}`)
  const rest = problems.length - problemsMax
  return rest > 0 ? [...lines, `${file}: ${rest} more problems`] : lines
}

const pathPrefix = (path: ScenarioPath): string => (path.length === 0 ? "" : `${formatPath(path)}: `)
