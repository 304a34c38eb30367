import { exitStatusText } from "../../domain/exit-status.ts"
import type { OutputTail } from "./output-tail.ts"
import type { ProcessActor } from "./process-actor.ts"

/**
 * Makes text fit to be shown: what is secret in it, by the variables of its process, is replaced. `truncated` says that the beginning
 * of the text is missing, where half of a secret may be left. `redactedOutput` is one.
 *
 * **Source** agent-harness.md, section 1.10
 *
 * @since 0.1.0
 * @category diagnostics
 */
export type Redact = (
  text: string,
  environment: Readonly<Record<string, string>>,
  options?: { readonly truncated?: boolean }
) => string

/**
 * What is known of a process, one line a fact, tails behind them. Tells the label, never arguments or variables.
 *
 * @since 0.1.0
 * @category diagnostics
 */
export const processDiagnostics = (process: ProcessActor, redact: Redact): string => {
  const { data, snapshot } = process
  const { pid, status, reason, problems, drainTimedOut, survivors } = snapshot.context
  const shown = (text: string, truncated = false): string => redact(text, data.spec.environment, { truncated })
  return [
    `process ${data.label}: pid ${pid ?? "none"}, ${groupText(process)}`,
    `  state ${snapshot.state}, ${status === null ? "no exit status" : exitStatusText(status)}, reason ${reason ?? "none"}`,
    ...tailLines("stdout", data.outputs.stdout.tail, shown),
    ...tailLines("stderr", data.outputs.stderr.tail, shown),
    ...(drainTimedOut ? ["  its output had not ended when the drain bound was over"] : []),
    ...survivors.map((survivor) => `  left its group and is there: pid ${survivor.pid}`),
    ...problems.map((problem) => `  signal failed: ${shown(problem)}`)
  ].join("\n")
}

const groupText = ({ data, snapshot }: ProcessActor): string => {
  if (data.refusal !== null) return `group not adopted: ${data.refusal}`
  return snapshot.context.pid === null && snapshot.context.status === null ? "nothing adopted" : "group adopted"
}

const tailLines = (
  name: string,
  tail: OutputTail,
  shown: (text: string, truncated?: boolean) => string
): ReadonlyArray<string> => {
  const error = tail.readError()
  const head = `  ${name}: ${tail.bytesSeen()} bytes${tail.isTruncated() ? ", truncated" : ""}`
  const text = shown(tail.text(), tail.isTruncated())
  return [
    error === null ? head : `${head}, read error: ${shown(error)}`,
    ...(text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => `    ${line}`))
  ]
}
