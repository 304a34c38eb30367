import { decodeToken } from "../explore/replay-token.ts"
import { nonCalmCount } from "../kernel/choice-forks.ts"
import { untimedText } from "../report/explain-failure.ts"
import { sequenceDiagram } from "../report/mermaid.ts"
import type { RunTrace } from "../report/run-trace.ts"
import type { SeenRun } from "./explore-world.ts"
import { stepsOf } from "./traced-run.ts"

/** What a failed run is told with. */
export interface ToldFailure {
  readonly message: string
  readonly token: string
  /** How many runs it took to find it, where there were several. */
  readonly foundInRun: number | null
  /** The run itself, made again from the token. */
  readonly run: SeenRun | null
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
export const failureText = ({ message, token, foundInRun, run, more = [] }: ToldFailure): string => {
  const { lists, seed } = decodeToken(token)
  const choices = lists === null ? [] : Object.entries(lists)
  const depth =
    lists === null
      ? "the run follows from its seed"
      : `${countText(nonCalmCount(lists))} not calm${choices.length === 0 ? "" : `: ${choices.map(choiceText).join("; ")}`}`
  const found = foundInRun === null ? [] : [`found in run ${foundInRun + 1} of seed ${seed}; ${depth}`]
  return [
    message,
    ...(foundInRun === null ? [depth] : found),
    ...(run?.isUntimed === true ? [untimedText] : []),
    `SIM_REPLAY='${token}'`,
    ...more,
    ...(run === null ? [] : ["", sequenceDiagram(traceOf(run, { message, token }))])
  ].join("\n")
}

const countText = (count: number): string => (count === 1 ? "1 choice is" : `${count} choices are`)

const choiceText = ([fork, list]: readonly [string, ReadonlyArray<number>]): string => {
  const told = list.flatMap((answer, index) => (answer === 0 ? [] : [`${answer} at ${index}`]))
  return `${fork} takes ${told.slice(0, 4).join(", ")}${told.length > 4 ? ", …" : ""}`
}

/** The run as reports want it: of its header a diagram shows nothing. */
const traceOf = (run: SeenRun, { message, token }: Pick<ToldFailure, "message" | "token">): RunTrace => ({
  header: { title: "", engine: "", strategy: "", seed: 0, options: {}, node: "", machines: "", lock: "" },
  end: {
    type: "failed",
    hash: run.kernel.hash(),
    token,
    oracle: null,
    signature: "",
    message,
    failedAt: run.failedAt
  },
  steps: stepsOf(run)
})
