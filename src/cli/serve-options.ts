import type { WireProfile } from "../domain/endpoint.ts"
import { commonOptions } from "./command.ts"
import { oneOf, secret, someText, wholeNumber } from "./option-readers.ts"
import type { GivenOptions, OptionTable } from "./option-table.ts"

const hostDefault = "127.0.0.1"
const workersMax = 64

/** The options of `understudy serve`. */
export const serveOptions = {
  port: {
    kind: "value",
    placeholder: "N",
    help: "port to listen on (default: a free one)",
    read: wholeNumber({ least: 0, most: 65_535 })
  },
  host: {
    kind: "value",
    placeholder: "ADDRESS",
    help: `address to listen on (default ${hostDefault})`,
    read: someText("an address of this machine, for example 127.0.0.1")
  },
  scenario: {
    kind: "value",
    placeholder: "FILE",
    help: "what to answer, as YAML or JSON (default: echo the last user message)",
    read: someText("the path of a YAML or JSON file"),
    claims: (word) => /\.(ya?ml|json)$/i.test(word)
  },
  workers: {
    kind: "value",
    placeholder: "N",
    help: "serve by N processes, without expectations, queues and turns (default: 1)",
    read: wholeNumber({ least: 1, most: workersMax })
  },
  watch: { kind: "flag", help: "read the scenario again when its file changes" },
  profile: {
    kind: "value",
    placeholder: "full|compact",
    help: "envelope of the answers: as providers send it, or byte-frozen (default full)",
    read: oneOf(["full", "compact"])
  },
  strict: { kind: "flag", help: "refuse what nothing is scripted for, with an explanation, instead of echoing it" },
  "fault-header": {
    kind: "value",
    placeholder: "on|off",
    help: "whether x-understudy-fault: NAME asks for a fault (default: on unless strict)",
    read: oneOf(["on", "off"])
  },
  "api-key": {
    kind: "value",
    placeholder: "KEY",
    help: "key that requests need where nothing is scripted (default: none)",
    read: secret
  },
  log: {
    kind: "value",
    placeholder: "jsonl|pretty",
    help: "tell what happens: JSON lines on stdout, or lines for people on stderr",
    read: oneOf(["jsonl", "pretty"])
  },
  trace: {
    kind: "value",
    placeholder: "FILE",
    help: "append every trace event to a file, one JSON line each",
    read: someText("the path of a file, which need not exist")
  },
  ...commonOptions
} as const satisfies OptionTable

/** What `serve` was asked to do. */
export interface ServeOptions {
  readonly port: number
  readonly host: string
  readonly scenario: string | undefined
  /** `undefined` for this process alone. */
  readonly workers: number | undefined
  readonly watch: boolean
  readonly profile: WireProfile | undefined
  readonly strict: boolean
  readonly faultHeader: boolean | undefined
  readonly apiKey: string | undefined
  readonly log: "jsonl" | "pretty" | undefined
  readonly trace: string | undefined
}

/** The options of `serve` with their defaults filled in. */
export const toServeOptions = (given: GivenOptions): ServeOptions => ({
  port: given.value(serveOptions.port) ?? 0,
  host: given.value(serveOptions.host) ?? hostDefault,
  scenario: given.value(serveOptions.scenario),
  workers: given.value(serveOptions.workers),
  watch: given.has(serveOptions.watch),
  profile: given.value(serveOptions.profile),
  strict: given.has(serveOptions.strict),
  faultHeader: onOff(given.value(serveOptions["fault-header"])),
  apiKey: given.value(serveOptions["api-key"]),
  log: given.value(serveOptions.log),
  trace: given.value(serveOptions.trace)
})

const onOff = (state: "on" | "off" | undefined): boolean | undefined =>
  state === undefined ? undefined : state === "on"

/** What is wrong in the combination. */
export const checkServeOptions = (given: GivenOptions): ReadonlyArray<string> => [
  ...(given.has(serveOptions.watch) && !given.has(serveOptions.scenario)
    ? ["--watch needs a file to watch; add --scenario FILE"]
    : []),
  ...(given.has(serveOptions.watch) && given.has(serveOptions.workers)
    ? ["--watch changes one process; leave out --watch or --workers"]
    : [])
]
