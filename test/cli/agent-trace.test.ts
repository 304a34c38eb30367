import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { openAgentTrace } from "../../src/cli/agent-trace.ts"
import { makeRedaction } from "../../src/cli/redaction.ts"
import { tempFolder } from "./temp-folder.ts"

// Seen to fail on these bugs, planted one at a time in src/cli/agent-trace.ts: no bound; lines that still fit are written behind a gap.

const folder = tempFolder()

const traced = (name: string, bytesMax: number): ReadonlyArray<unknown> => {
  const path = folder.path(name)
  const failed = (): void => {}
  const trace = openAgentTrace(path, { profile: "p", mode: "acp", redaction: makeRedaction(), failed, bytesMax })
  trace.output("stdout", "short", 1)
  trace.output("stdout", "x".repeat(200), 2)
  trace.output("stdout", "short", 3)
  trace.close()
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  return lines.slice(1).map((line) => JSON.parse(line))
}

test("a trace ends at its bound, and its last line says what was left out", () => {
  expect(traced("cut.jsonl", 200)).toMatchObject([
    { at: 1 },
    { from: "run", leftOut: { lines: 2, bytes: 339 }, bytesMax: 200 }
  ])
})

test("a trace within its bound has no such line", () => {
  expect(traced("whole.jsonl", 1000)).toMatchObject([{ at: 1 }, { at: 2 }, { at: 3 }])
})
