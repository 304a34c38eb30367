import { commonOptions, makeCommand } from "./command.ts"
import type { ExplainAsked } from "./explain.ts"
import { someText } from "./option-readers.ts"
import type { GivenOptions, OptionTable } from "./option-table.ts"

const someFile = someText("the path of a file")

/** The options of `understudy explain`. */
const explainOptions = {
  mermaid: { kind: "flag", help: "the sequence diagram alone on stdout, for a .mmd file or a page" },
  html: {
    kind: "value",
    placeholder: "FILE",
    help: "write the timeline as one HTML page, which loads nothing",
    read: someFile
  },
  shiviz: { kind: "value", placeholder: "FILE", help: "write the whole run as a log for ShiViz", read: someFile },
  test: {
    kind: "value",
    placeholder: "FILE",
    help: "write a regression test: it fails as long as the run fails",
    read: someFile
  },
  ...commonOptions
} as const satisfies OptionTable

const notes = `Without an option: what failed, the choices that were not calm, the line that replays it, and what led to
it as a sequence diagram (Mermaid), on stdout. Nothing is run. A trace whose end is missing is explained
as far as it goes.

The regression test is for Vitest where Vitest is installed above FILE, else for node --test. Exit codes:
0; 1 a file could not be written; 2 the command line is wrong, the trace cannot be read, or no test can be
made of it. What else was asked for is written all the same.`

const toExplainAsked = (given: GivenOptions): ExplainAsked => ({
  trace: given.operands[0] ?? "",
  isMermaid: given.has(explainOptions.mermaid),
  html: given.value(explainOptions.html) ?? null,
  shiviz: given.value(explainOptions.shiviz) ?? null,
  test: given.value(explainOptions.test) ?? null
})

/** `understudy explain`: what it does is loaded when it is asked for. */
export const explainCommand = makeCommand({
  name: "explain",
  summary: "Show what led to a failure: as text, diagram, timeline or regression test",
  operands: [{ placeholder: "TRACE", help: "the file that explore or shrink wrote" }],
  options: explainOptions,
  notes,
  check: () => [],
  start: async (given, io) => (await import("./explain.ts")).explain(toExplainAsked(given), io)
})
