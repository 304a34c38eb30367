import { decodeToken } from "../explore/replay-token.ts"
import { type ChoiceLists, nonCalmCount } from "../kernel/choice-forks.ts"
import { chosenIn } from "../report/chosen.ts"
import { untimedText } from "../report/explain-failure.ts"
import { sequenceDiagram } from "../report/mermaid.ts"
import type { RunTrace, TracedStep } from "../report/run-trace.ts"
import { sayChosen } from "../report/say-chosen.ts"
import { withBroken } from "./broken-laws.ts"
import { shownPath } from "./shown-path.ts"

/** A failed run as it is told. */
export interface ToldRun {
  readonly steps: ReadonlyArray<TracedStep>
  /** The steps at which its failure showed. */
  readonly failedAt: ReadonlyArray<number>
  /** Laws that were broken before the program failed by itself, a line each, where the message does not have them. */
  readonly broken: ReadonlyArray<string>
  readonly isUntimed: boolean
}

/** What a failed run is told with. */
export interface ToldFailure {
  readonly message: string
  readonly token: string
  /** Which of several runs found it, and by which strategy: `first` tries what failed before, or choices as the option gives them. */
  readonly found: { readonly by: string; readonly run: number; readonly hasGivenChoices?: boolean } | null
  /** The run itself, made again from the token. */
  readonly run: ToldRun | null
  /** Lines under the one that replays it. */
  readonly more?: ReadonlyArray<string>
}

/**
 * What a person needs of a failed run: what failed, how far it is from the run that everybody expects, how to have it again, and
 * what led to it as a sequence diagram.
 *
 * @since 0.1.0
 * @category errors
 */
export const failureText = ({ message, token, found, run, more = [] }: ToldFailure): string => {
  const { lists, seed } = decodeToken(token)
  const depth = lists === null ? "the run follows from its seed" : depthText(lists, run?.steps ?? [])
  return [
    withBroken(message, run),
    found === null ? depth : `${foundText(found, seed)}; ${depth}`,
    ...(run?.isUntimed === true ? [untimedText] : []),
    `SIM_REPLAY='${token}'`,
    ...more,
    ...(run === null ? [] : ["", sequenceDiagram(traceOf(run, { message, token }))])
  ].join("\n")
}

const foundText = ({ by, run, hasGivenChoices = false }: NonNullable<ToldFailure["found"]>, seed: number): string =>
  by === "first" && hasGivenChoices
    ? `fails with choices that the option first gives (seed ${seed})`
    : by === "first"
      ? `failed before, and fails again when it is tried first (seed ${seed})`
      : `found in run ${run + 1} of seed ${seed}`

const countText = (count: number): string => (count === 1 ? "1 choice is" : `${count} choices are`)

/** Where no step has all choices of the token, the choices as the token has them. */
const depthText = (lists: ChoiceLists, steps: ReadonlyArray<TracedStep>): string => {
  const count = nonCalmCount(lists)
  const chosen = chosenIn(steps)
  const said = chosen.length === count ? sayChosen(chosen) : [Object.entries(lists).map(choiceText).join("; ")]
  const lines =
    said.length < 2 ? said.map((line) => (line === "" ? "" : `: ${line}`)) : [":", ...said.map((line) => `\n  ${line}`)]
  return `${countText(count)} not calm${lines.join("")}`
}

const choiceText = ([fork, list]: readonly [string, ReadonlyArray<number>]): string => {
  const told = list.flatMap((answer, index) => (answer === 0 ? [] : [`${answer} at ${index}`]))
  return `${fork} takes ${told.slice(0, 4).join(", ")}${told.length > 4 ? ", …" : ""}`
}

/** The run as reports want it: of its header a diagram shows nothing. */
const traceOf = (
  { steps, failedAt }: ToldRun,
  { message, token }: Pick<ToldFailure, "message" | "token">
): RunTrace => ({
  header: { title: "", engine: "", strategy: "", seed: 0, options: {}, node: "", machines: "", lock: "" },
  end: {
    type: "failed",
    hash: null,
    token,
    oracle: null,
    signature: "",
    message,
    failedAt
  },
  steps
})

/** What is said of a failure that could not be kept. */
export const notKeptLine = (problem: string): string => `not kept: ${problem}`

/** What is said of the trace of a failure. */
export const traceLine = (kept: { readonly path: string } | { readonly problem: string }): string =>
  "path" in kept
    ? `npx llm-understudy explain ${shownPath(kept.path)} shows the run; --html FILE and --shiviz FILE draw it`
    : `no trace: ${kept.problem}`
