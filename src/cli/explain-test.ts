import { createRequire } from "node:module"
import { dirname, relative, resolve, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { TracedProgram } from "../campaign/run-trace-file.ts"
import { visibleText } from "../report/visible-text.ts"

/** So many lines of the failure stand in the test as a comment. */
const commentLinesMax = 10

/**
 * A test file for the program of a module: it makes the run again and fails as long as that fails. For Vitest where that is
 * installed above the file, else for `node:test`.
 *
 * @since 0.1.0
 * @category reports
 */
export const regressionTestFor = (options: {
  /** Where the test is written. */
  readonly file: string
  readonly program: TracedProgram
  readonly title: string
  readonly token: string
  readonly message: string
}): string => {
  const { file, program, title, token, message } = options
  const lines = message.split(/\r?\n/)
  const shown = lines.slice(0, commentLinesMax).map((line) => `// ${visibleText(line)}`.trimEnd())
  return [
    'import { replay } from "llm-understudy/sim"',
    `import { test } from ${hasVitest(file) ? '"vitest"' : '"node:test"'}`,
    `import ${imported(program.program)} from ${quoted(importPath(file, program.module))}`,
    "",
    "// The run that this makes again failed with:",
    ...shown,
    ...(lines.length > commentLinesMax ? ["// …"] : []),
    `const token = ${quoted(token)}`,
    "",
    `test(${quoted(title)}, async () => {`,
    "  await replay(token, program.options ?? {}, program.run)",
    "})",
    ""
  ].join("\n")
}

const imported = (name: string): string => {
  if (name === "default") return "program"
  if (name === "program") return "{ program }"
  return `{ ${/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quoted(name)} as program }`
}

const importPath = (file: string, module: string): string => {
  const path = relative(dirname(resolve(file)), module)
    .split(sep)
    .join("/")
  return path.startsWith("../") ? path : `./${path}`
}

const hasVitest = (file: string): boolean => {
  try {
    createRequire(pathToFileURL(resolve(file))).resolve("vitest/package.json")
    return true
  } catch {
    return false
  }
}

const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
