/** What came of a program, for JUnit. */
export interface JunitCase {
  readonly name: string
  readonly seconds: number
  /** `null` when it passed. */
  readonly trouble: {
    readonly kind: "failure" | "error" | "skipped"
    readonly message: string
    /** What kind of failure; a signature. */
    readonly type: string
    readonly text: string
  } | null
}

/**
 * Results as JUnit XML: one suite for a module, a case for each program.
 *
 * @since 0.1.0
 * @category encoding
 */
export const junitXml = (suite: string, cases: ReadonlyArray<JunitCase>): string => {
  const count = (kind: string): number => cases.filter(({ trouble }) => trouble?.kind === kind).length
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0)
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${secondsText(seconds)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="understudy explore" ${counts}>`,
    `  <testsuite name="${attribute(suite)}" ${counts}>`,
    ...cases.map((one) => caseXml(suite, one)),
    "  </testsuite>",
    "</testsuites>",
    ""
  ].join("\n")
}

const caseXml = (suite: string, { name, seconds, trouble }: JunitCase): string => {
  const head = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}" time="${secondsText(seconds)}"`
  if (trouble === null) return `${head}/>`
  const { kind, message, type, text } = trouble
  const inside =
    kind === "skipped"
      ? `<skipped message="${attribute(message)}"/>`
      : `<${kind} message="${attribute(message)}" type="${attribute(type)}">${content(text)}</${kind}>`
  return `${head}>\n      ${inside}\n    </testcase>`
}

const secondsText = (seconds: number): string => seconds.toFixed(3)

/** Line ends would become blanks. */
const attribute = (text: string): string => content(text).replace(/[\t\n\r"]/g, (unit) => `&#${unit.charCodeAt(0)};`)

const content = (text: string): string =>
  text
    // What XML 1.0 cannot hold in any spelling.
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>]/g, (unit) => entities[unit] ?? unit)

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
