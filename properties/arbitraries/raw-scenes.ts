import fc from "fast-check"
import type { SimScript, SimStep } from "../../src/sim/process-script.ts"
import { agentLines, cutAt, cuts, idTokens, nearResponses } from "./acp-lines.ts"

const ids = fc.constantFrom("a", "b", "7", "A")

/** Responses to one of a few ids, in their right form. */
const responses = fc
  .record({
    id: ids,
    body: fc.constantFrom('"result":1', '"error":{"code":1,"message":"no"}', '"result":{"x":"\\u0061"}')
  })
  .map(({ id, body }) => `{"jsonrpc":"2.0","id":"${id}",${body}}`)

const requests = fc
  .record({ id: idTokens, method: fc.constantFrom("ask", "fs/read_text_file", "") })
  .map(({ id, method }) => `{"id":${id},"method":"${method}"}`)

/** Lines of an agent, without their ends. */
export const rawLines: fc.Arbitrary<ReadonlyArray<string>> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: responses },
    { weight: 2, arbitrary: requests },
    { weight: 2, arbitrary: nearResponses },
    { weight: 1, arbitrary: fc.constant('{"method":"n"}') },
    { weight: 1, arbitrary: fc.constant(`{"method":"${"long ".repeat(60)}"}`) },
    { weight: 2, arbitrary: agentLines }
  ),
  { maxLength: 10, size: "max" }
)

/** Ids that are waited for, one after the other. */
export const waitedIds: fc.Arbitrary<ReadonlyArray<string>> = fc.array(ids, { minLength: 1, maxLength: 5 })

/** How an agent goes on when it has said all. */
const endings: fc.Arbitrary<ReadonlyArray<SimStep>> = fc.constantFrom<ReadonlyArray<SimStep>>(
  [],
  [{ kind: "exit", code: 3 }],
  [{ kind: "crash", signal: "SIGSEGV" }],
  [
    { kind: "close output", stream: "stdout" },
    { kind: "sleep", ms: Number.POSITIVE_INFINITY }
  ],
  [
    {
      kind: "fork",
      script: { steps: [{ kind: "sleep", ms: Number.POSITIVE_INFINITY }] },
      leaves: true,
      holds: ["stdout"]
    }
  ]
)

/** What an agent says, in pieces with time between them, and how it ends. */
export interface RawScene {
  readonly lines: ReadonlyArray<string>
  readonly script: SimScript
  readonly choices: ReadonlyArray<number>
}

/** The same lines in any pieces, at any speed, the last one with or without an end. */
export const rawScenes: fc.Arbitrary<RawScene> = fc
  .record({
    lines: rawLines,
    isOpen: fc.boolean(),
    places: cuts,
    gaps: fc.array(fc.constantFrom(0, 0, 1, 50, 2_000), { minLength: 13, maxLength: 13 }),
    ending: endings,
    choices: fc.array(fc.oneof(fc.constant(0), fc.nat(3)), { maxLength: 40, size: "max" })
  })
  .map(({ lines: all, isOpen, places, gaps, ending, choices }) => {
    // An empty line without an end is no line.
    const lines = isOpen && all.at(-1) === "" ? all.slice(0, -1) : all
    const text = lines.map((line) => `${line}\n`).join("")
    const bytes = new TextEncoder().encode(isOpen && lines === all ? text.slice(0, -1) : text)
    const steps = cutAt(bytes, places).flatMap(
      (piece, index): ReadonlyArray<SimStep> => [
        { kind: "write", stream: "stdout", bytes: piece },
        { kind: "sleep", ms: gaps[index] ?? 0 }
      ]
    )
    return { lines, script: { steps: [...steps, ...ending] }, choices }
  })

/** What a test does with a client that sends. */
export type SendCommand =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "chunks"; readonly texts: ReadonlyArray<string>; readonly gapMs: number }
  | { readonly kind: "pass"; readonly ms: number }

const text = fc.string({ unit: "grapheme", maxLength: 5 }).map((value) => value.replaceAll("\n", ""))

export const sendCommands: fc.Arbitrary<ReadonlyArray<SendCommand>> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("line" as const), text }),
    fc.record({
      kind: fc.constant("chunks" as const),
      texts: fc.array(text, { minLength: 1, maxLength: 4 }),
      gapMs: fc.constantFrom(0, 1, 30)
    }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(0, 1, 20) })
  ),
  { maxLength: 8 }
)
