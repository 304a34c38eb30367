import { visibleText } from "./visible-text.ts"

/** Of which failure a test is written, and for what runner. */
export interface RegressionOptions {
  /** The title of the test. */
  readonly title: string
  /** The module that exports the program, as the test imports it. */
  readonly importPath: string
  /** The name of the program in its module. Default `program`. */
  readonly exportName?: string
  readonly token: string
  /** What the run fails with; stands as a comment. */
  readonly message?: string
  /** Default `vitest`. */
  readonly runner?: "vitest" | "node:test"
  /** The module of the function that replays. Default `llm-understudy/sim`. */
  readonly replayFrom?: string
  /** Its name there. Default `replay`. */
  readonly replayName?: string
}

/**
 * The text of a test file that makes a failed run again and passes when it does not fail any more. It runs as it is, as
 * TypeScript and as JavaScript.
 *
 * @since 0.1.0
 * @category reports
 */
export const regressionTest = (options: RegressionOptions): string => {
  const { title, importPath, token, message, runner = "vitest" } = options
  const { exportName = "program", replayFrom = "llm-understudy/sim", replayName = "replay" } = options
  const { imports, check } = runners[runner]
  return [
    ...imports,
    `import { ${named(replayName, "replay")} } from ${quoted(replayFrom)}`,
    `import { ${named(exportName, "program")} } from ${quoted(importPath)}`,
    "",
    ...comment(message),
    `const token = ${quoted(token)}`,
    "",
    `test(${quoted(title)}, async () => {`,
    "  const { outcome } = await replay({ run: program, token })",
    "",
    `  ${check}`,
    "})",
    ""
  ].join("\n")
}

const failureOf = 'outcome.type === "failed" ? outcome.message : null'

const runners = {
  vitest: {
    imports: ['import { expect, test } from "vitest"'],
    check: `expect(${failureOf}).toBeNull()`
  },
  "node:test": {
    imports: ['import assert from "node:assert/strict"', 'import { test } from "node:test"'],
    check: `assert.equal(${failureOf}, null)`
  }
}

/** A name of another module under a name of ours, so that none of its names can be in our way. */
const named = (name: string, ours: string): string => {
  if (name === ours) return name
  return `${/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quoted(name)} as ${ours}`
}

const quoted = (text: string): string => JSON.stringify(text).replace(/[\u2028\u2029]/g, lineSeparator)

const lineSeparator = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16)}`

const commentLinesMax = 10

const comment = (message = ""): ReadonlyArray<string> => {
  const lines = message.split(/\r?\n/)
  const shown = lines.slice(0, commentLinesMax).map((line) => `// ${visibleText(line)}`.trimEnd())
  if (message === "") return []
  return [
    "// The run that this makes again failed with:",
    ...shown,
    ...(lines.length > commentLinesMax ? ["// …"] : [])
  ]
}
