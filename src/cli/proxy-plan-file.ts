import type { FaultProgram } from "../proxy/plan/fault-program.ts"
import { readPlanOr } from "../proxy/plan/read-plan.ts"
import { RunFailed } from "./command-io.ts"
import { scriptText } from "./script-file.ts"
import { type PlacedDocument, readDocument } from "./yaml-document.ts"

/**
 * Reads a fault plan from a file: JSON when its name ends in `.json`, else YAML.
 *
 * **Fails** with `RunFailed`, with file, line, column and member of the first problem
 *
 * @since 0.1.0
 * @category encoding
 */
export const readPlanFile = (file: string): FaultProgram => planOf(file, documentOf(file))

/**
 * What stands in the file that a command names for its member: a plan that was read as `readPlanFile` does, or a rule, which the proxy
 * reads.
 *
 * **Fails** with `RunFailed`
 *
 * @since 0.1.0
 * @category encoding
 */
export const readMemberFile = (file: string, member: string): unknown => {
  const document = documentOf(file)
  if (member === "plan") planOf(file, document)
  return document.value
}

const planOf = (file: string, document: PlacedDocument): FaultProgram =>
  readPlanOr(document.value, (message, at) => {
    const { line, column } = document.place(stepsOf(at), "key")
    return new RunFailed(`cannot use the plan ${JSON.stringify(file)}; put this right and start again:`, [
      `${file}:${line}:${column} ${message}`
    ])
  })

const documentOf = (file: string): PlacedDocument => {
  const document = readDocument(textOf(file), /\.json$/i.test(file) ? "json" : "yaml")
  if (document.problems.length === 0) return document
  const lines = document.problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`)
  throw new RunFailed(`cannot read ${JSON.stringify(file)}; put this right and start again:`, lines)
}

const textOf = (file: string): string => {
  try {
    return scriptText(file)
  } catch (error) {
    throw new RunFailed(
      `cannot read ${JSON.stringify(file)}: ${error instanceof Error ? error.message : String(error)}`
    )
  }
}

/** The steps of a place as in `rules[0].match."a b"`. */
const stepsOf = (at: string): ReadonlyArray<string | number> =>
  Array.from(at.matchAll(/\[(\d+)\]|("(?:[^"\\]|\\.)*")|([^.[\]]+)/g), ([, index, quoted, plain = ""]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? plain : String(JSON.parse(quoted))
  })
