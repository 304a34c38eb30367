import { type FaultSettings, faultDefaults } from "../domain/fault-options.ts"
import { commonOptions } from "./command.ts"
import { oneOf } from "./option-readers.ts"
import type { OptionTable, ValueOption } from "./option-table.ts"

/** The port when none is named. */
export const portDefault = 8_000

/** How long the port refuses at first when nothing else is said. */
export const listenDelayMsDefault = 750

/**
 * An option whose text is checked later: what is wrong with a command line is told in the order of the specification, not
 * of its words.
 */
const text = (placeholder: string, help: string): ValueOption<string> => ({
  kind: "value",
  placeholder,
  help,
  read: (value) => ({ value })
})

const word = <const Word extends string>(words: ReadonlyArray<Word>, help: string): ValueOption<Word> => ({
  kind: "value",
  placeholder: words.join("|"),
  help,
  read: oneOf(words)
})

const fault = (name: keyof FaultSettings, placeholder: string, help: string): ValueOption<string> =>
  text(placeholder, `${help} (default ${faultDefaults[name]})`)

const script = {
  sequence: text("A,B,...", "what the requests get, one after the other; needed without --script"),
  script: text("FILE", "instead of --sequence: the same as JSON, with options for single entries, scripts for lanes"),
  "repeat-last": { kind: "flag", help: "go on with the last entry when the script is over (default: 500)" }
} as const satisfies OptionTable

const chance = {
  seed: text("N", "seed of what random draws, 0 to 4294967295 (default: any, told at the start)"),
  "random-weights": text("NAME=N,...", "how often random draws what, in this order (default: profile stress)"),
  profile: text(
    "NAME|FILE",
    "the same by name: stress, calm, network, overload, truncation, protocol; or from a JSON file"
  ),
  keyed: { kind: "flag", help: "draw random by session, turn and attempt, not in order of arrival" }
} as const satisfies OptionTable

const listening = {
  host: text("ADDRESS", "address to listen on (default 127.0.0.1)"),
  port: text("N", `port to listen on, 0 for a free one (default ${portDefault})`),
  "listen-delay-ms": text("MS", `how long a leading connection_refused refuses (default ${listenDelayMsDefault})`),
  "api-key": text("TOKEN", "key that requests need (default: none)"),
  formats: text("F,...", "which routes there are, of chat, responses, messages (default: all)"),
  "max-body-bytes": text("N", "larger requests get 413 (default 67108864)"),
  "fault-header": word(
    ["on", "off"],
    "whether x-understudy-fault: NAME asks for a fault (default: on without --strict-lanes)"
  )
} as const satisfies OptionTable

const contents = {
  "success-text": fault("successText", "TEXT", "text of good answers"),
  "partial-text": fault("partialText", "TEXT", "text of answers that break off"),
  "reasoning-text": fault("reasoningText", "TEXT", "text of reasoning"),
  "tool-name": fault("toolName", "NAME", "tool that is called"),
  "tool-arguments": fault("toolArguments", "JSON", "its arguments"),
  "request-id": text("TEXT", "x-request-id of errors (default: none)"),
  "retry-after-ms": fault("retryAfterMs", "MS", "what retry-after asks for, in whole seconds"),
  "context-window": fault("contextWindow", "N", "tokens that usage_overflow exceeds"),
  "chunk-shape": word(["complete", "minimal"], "members of chat chunks (default complete)"),
  "usage-placement": word(
    ["attached", "trailing", "both", "none", "auto"],
    "where chat streams count tokens (default attached)"
  ),
  streaming: word(
    ["strict", "auto", "sse"],
    "JSON without stream: true, with stream: false, or never (default strict)"
  ),
  "mark-errors": { kind: "flag", help: "mark failures of the mock itself by x-mock-error in chat too" }
} as const satisfies OptionTable

const timing = {
  "chunk-size": fault("chunkSize", "N", "code points of a piece"),
  "chunk-delay-ms": fault("chunkDelayMs", "MS", "pause after each piece of a slow stream"),
  "disconnect-delay-ms": fault("disconnectDelayMs", "MS", "silence before a connection is dropped"),
  "head-delay-ms": fault("headDelayMs", "MS", "silence before the head of slow_head"),
  "heartbeat-ms": fault("heartbeatMs", "MS", "pause between the comments of comment_stall"),
  "cut-after-events": fault("cutAfterEvents", "N", "events that cut_at_event sends"),
  "cut-after-bytes": fault("cutAfterBytes", "N", "bytes that cut_at_byte sends"),
  "reset-mode": word(["fin", "rst"], "how connections are dropped (default fin)")
} as const satisfies OptionTable

const lanes = {
  "lane-by": text("RULE,...", "tell callers apart: path, bearer, session, fingerprint, header:NAME, json:/POINTER"),
  "per-lane": { kind: "flag", help: "each caller has a cursor of its own in the sequence (default with --lane-by)" },
  "strict-lanes": { kind: "flag", help: "refuse callers without a script of their own with 421" },
  "lane-port": { kind: "flag", help: "lanes that the script names exactly listen on ports of their own" },
  "only-foreground": { kind: "flag", help: "only turns of an agent's main loop take faults" }
} as const satisfies OptionTable

const output = {
  telemetry: word(["baseline", "full"], "how much the records say (default baseline)"),
  ...commonOptions
} as const satisfies OptionTable

/** The options of `understudy faults` by the heading under which the help shows them. */
export const faultsGroups: ReadonlyArray<readonly [heading: string, options: OptionTable]> = [
  ["Script", script],
  ["Chance", chance],
  ["Listening", listening],
  ["Answers", contents],
  ["Time and endings", timing],
  ["Lanes: faults for each caller, whatever the others do", lanes],
  ["Output", output]
]

/** The options of `understudy faults`. */
export const faultsOptions = {
  ...script,
  ...chance,
  ...listening,
  ...contents,
  ...timing,
  ...lanes,
  ...output
} as const

/** The options of `understudy faults simulate`. */
export const simulateOptions = {
  profile: chance.profile,
  "random-weights": chance["random-weights"],
  seed: text("N", "0 to 4294967295 (default: any, told on stderr)"),
  requests: text("N", "how many choices, 0 to 1000000 (default 20)"),
  lane: text("KEY", "the lane whose choices these are (default: the one of a server without lanes)"),
  ...commonOptions
} as const satisfies OptionTable

/** The options of `understudy faults profile fit`. */
export const fitOptions = {
  name: text("NAME", "name of the profile (default: that of the file)"),
  source: text("TEXT", "where the results come from (default: the file)"),
  window: text("TEXT", "the period in which they were gathered (default: not stated)"),
  ...commonOptions
} as const satisfies OptionTable
