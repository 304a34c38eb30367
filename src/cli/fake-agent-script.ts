import type { ExtraLine, FakeAgentScript, FakeAnswer, FakeRule, TurnStep } from "../harness/fake-agent/script.ts"
import { notificationLine } from "../wire/acp/write-line.ts"
import { fakeAgentOptions as options } from "./fake-agent-options.ts"
import type { GivenOptions } from "./option-table.ts"

/**
 * A script with what the options of a command line say on top: lists become longer, everything else is replaced.
 *
 * @since 0.1.0
 * @category constructors
 */
export const scriptWithOptions = (base: FakeAgentScript, given: GivenOptions): FakeAgentScript => ({
  protocolVersion: given.value(options["protocol-version"]) ?? base.protocolVersion,
  authMethods: given.value(options["offer-auth"]) ?? base.authMethods,
  requiresAuth: given.has(options["require-auth"]) || base.requiresAuth,
  answer: answerOf(given) ?? base.answer,
  chunks: given.value(options.chunks) ?? base.chunks,
  turn: [...base.turn, ...stepsOf(given)],
  rules: [...base.rules, ...rulesOf(given)],
  oneWrite: given.has(options["one-write"]) || base.oneWrite,
  chunkBytes: given.value(options["chunk-bytes"]) ?? base.chunkBytes,
  splitUtf8: given.has(options["split-utf8"]) || base.splitUtf8,
  responses: {
    method: given.value(options["responses-of"]) ?? base.responses.method,
    idAs: given.value(options["id-as"]) ?? base.responses.idAs,
    duplicate: given.has(options["duplicate-response"]) || base.responses.duplicate,
    outOfOrder: given.value(options["out-of-order"]) ?? base.responses.outOfOrder,
    broken: given.value(options["broken-response"]) ?? base.responses.broken,
    extraLines: [...base.responses.extraLines, ...extraLinesOf(given)]
  },
  noJsonrpc: given.has(options["no-jsonrpc"]) || base.noJsonrpc,
  stderr: [...base.stderr, ...given.values(options.stderr)],
  ignoreTerm: given.has(options["ignore-term"]) || base.ignoreTerm,
  ignoreEof: given.has(options["ignore-eof"]) || base.ignoreEof,
  grandchild: given.value(options.grandchild) ?? base.grandchild
})

const answerOf = (given: GivenOptions): FakeAnswer | undefined => {
  const text = given.value(options.answer)
  if (text !== undefined) return { kind: "text", text }
  if (given.has(options["via-mock"])) return { kind: "mock" }
  return given.has(options.echo) ? { kind: "echo" } : undefined
}

/** In the order of the table, whatever the order of the words. */
const stepsOf = (given: GivenOptions): ReadonlyArray<TurnStep> => [
  ...given.values(options["unknown-update"]),
  ...given.values(options["ext-notify"]),
  ...given.values(options["ask-permission"]),
  ...given.values(options["ask-fs"]),
  ...given.values(options["ask-terminal"]),
  ...given.values(options["ask-ext"]),
  ...given.values(options["big-line"]).map((bytes): TurnStep => ({ kind: "big line", bytes }))
]

const rulesOf = (given: GivenOptions): ReadonlyArray<FakeRule> => [
  ...given.values(options.delay),
  ...given.values(options.silent),
  ...given.values(options.error),
  ...given.values(options["exit-on"]),
  ...given.values(options["crash-on"]),
  ...given.values(options["crash-signal"]).map((signal): FakeRule => firstPrompt({ kind: "crash", signal })),
  ...given.values(options["close-output-on"])
]

const firstPrompt = (does: FakeRule["does"]): FakeRule => ({
  method: "session/prompt",
  call: 1,
  afterChunks: null,
  does
})

const extraLinesOf = (given: GivenOptions): ReadonlyArray<ExtraLine> => [
  ...given.values(options.pollute),
  ...(given.has(options["bad-json"]) ? [badJson] : []),
  ...(given.has(options.batch) ? [batch] : [])
]

const badJson: ExtraLine = { at: "before", text: '{"jsonrpc":"2.0","id":' }
const batch: ExtraLine = { at: "before", text: `[${notificationLine("_fixture/batched", {})}]` }

/** What is wrong in the combination. */
export const checkFakeAgent = (given: GivenOptions): ReadonlyArray<string> => {
  const answers = ["echo", "via-mock", "answer"].filter((name) => isGiven(given, name))
  const others = Object.keys(options).filter((name) => name !== "replay" && isGiven(given, name))
  return [
    ...(answers.length > 1 ? [`--${answers.join(" and --")} exclude each other; give one of them`] : []),
    ...(given.has(options["via-mock"]) && !given.has(options["mock-url"])
      ? ["--via-mock needs a model to ask; add --mock-url URL"]
      : []),
    ...(given.has(options.persist) && !given.has(options.home)
      ? ["--persist needs a place to keep sessions; add --home FOLDER"]
      : []),
    ...(given.has(options["output-format"]) && !given.has(options.prompt)
      ? ["--output-format is about --prompt TEXT, which is missing"]
      : []),
    ...(given.has(options.replay) && others.some((name) => !besideReplay.has(name))
      ? [`--replay stands alone; leave out --${others.filter((name) => !besideReplay.has(name)).join(" and --")}`]
      : [])
  ]
}

/** What an environment says to every agent does no harm to a replay. */
const besideReplay = new Set(["mock-url", "api-key", "home", "log-input", "record"])

const isGiven = (given: GivenOptions, name: string): boolean => {
  const option = Object.entries(options).find(([known]) => known === name)?.[1]
  return option !== undefined && given.has(option)
}
