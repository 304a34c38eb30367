import { commonOptions, makeCommand } from "./command.ts"
import { onlyOption } from "./explore-options.ts"
import { duration, someText, wholeNumber } from "./option-readers.ts"
import type { GivenOptions, OptionTable } from "./option-table.ts"
import { runOperands } from "./replay-command.ts"
import type { ShrinkAsked } from "./shrink.ts"

const runsDefault = 2_000
const budgetMsDefault = 300_000

/** The options of `understudy shrink`. */
const shrinkOptions = {
  runs: {
    kind: "value",
    placeholder: "N",
    help: `how many runs it may take (default ${runsDefault})`,
    read: wholeNumber({ least: 1, most: 1_000_000 })
  },
  budget: {
    kind: "value",
    placeholder: "TIME",
    help: "how long it may take, such as 30s or 10m (default 5m)",
    read: duration({ leastMs: 1, mostMs: 7 * 24 * 3_600_000 })
  },
  only: onlyOption,
  out: {
    kind: "value",
    placeholder: "FILE",
    help: "where the smaller trace goes (default: NAME.small.trace.jsonl beside the trace)",
    read: someText("the path of a file")
  },
  ...commonOptions
} as const satisfies OptionTable

const notes = `As few choices that are not calm as possible, low and early, while the run still fails with the same
signature. explore does this too, with fewer runs. The trace that was given is left as it is, unless
it is also named by --out.

On stdout there is one JSON line {"type":"shrink",...}. Exit codes: 0 the smaller trace is written; 1
the run does not fail any more, or nothing could be written; 2 the command line is wrong, or the trace
or module cannot be loaded; 130 and 143 after SIGINT and SIGTERM, when the smallest run until then is
written.`

const toShrinkAsked = (given: GivenOptions): ShrinkAsked => {
  const [target = "", module = null] = given.operands
  return {
    target,
    module,
    only: given.value(shrinkOptions.only) ?? null,
    out: given.value(shrinkOptions.out) ?? null,
    runs: given.value(shrinkOptions.runs) ?? runsDefault,
    budgetMs: given.value(shrinkOptions.budget) ?? budgetMsDefault
  }
}

/** `understudy shrink`: what it does is loaded when it is asked for. */
export const shrinkCommand = makeCommand({
  name: "shrink",
  summary: "Make a failed run smaller and write its trace",
  operands: runOperands,
  options: shrinkOptions,
  notes,
  check: () => [],
  start: async (given, io) => (await import("./shrink.ts")).shrink(toShrinkAsked(given), io)
})
