import { resolve } from "node:path"
import { InvalidOption } from "../domain/errors.ts"
import type { StreamAddress, UpstreamAddress } from "../ports/stream-port.ts"
import { endpointOf, type Upstream, upstreamOf } from "../proxy/endpoint.ts"
import { readFramingChoice } from "../proxy/framing/read-framing-choice.ts"
import type { FramingChoice } from "../proxy/proxy-options.ts"
import { isSamePlace } from "../proxy/same-place.ts"
import { commonOptions } from "./command.ts"
import { oneOf, someText, wholeNumber } from "./option-readers.ts"
import type { GivenOptions, OptionReading, OptionTable } from "./option-table.ts"

const framingName = oneOf(["lengthPrefixed", "ndjson", "contentLength", "webSocket", "opaque", "http"])

/** A name, or JSON with the name as `type` and options. */
const framing = (text: string): OptionReading<FramingChoice> => {
  if (!text.trimStart().startsWith("{")) return framingName(text)
  try {
    const choice: unknown = JSON.parse(text)
    return { value: readFramingChoice(choice) }
  } catch (error) {
    if (error instanceof InvalidOption) return { problem: `is refused: ${error.message}` }
    return { problem: `is no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** The options of `understudy proxy`. */
export const proxyOptions = {
  listen: {
    kind: "value",
    placeholder: "ENDPOINT",
    help: "where clients connect: unix:PATH, or tcp:HOST:PORT of this machine (port 0: any free one)",
    read: endpointOf
  },
  upstream: {
    kind: "value",
    placeholder: "ENDPOINT",
    help: "where they are connected to: the same, or http://HOST[:PORT], https://HOST[:PORT]",
    read: upstreamOf
  },
  framing: {
    kind: "value",
    placeholder: "NAME|JSON",
    help: "where frames end (default lengthPrefixed; http before an http upstream); see below",
    read: framing
  },
  plan: {
    kind: "value",
    placeholder: "FILE",
    help: "what to do to which frames, as YAML or JSON (default: nothing)",
    read: someText("the path of a YAML or JSON file"),
    claims: (word) => /\.(ya?ml|json)$/i.test(word)
  },
  seed: {
    kind: "value",
    placeholder: "N",
    help: "of the chances in the plan, 0 to 4294967295 (default 1)",
    read: wholeNumber({ least: 0, most: 2 ** 32 - 1 })
  },
  tail: {
    kind: "value",
    placeholder: "forward|drop",
    help: "what becomes of bytes behind the last whole frame when the input ends (default forward)",
    read: oneOf(["forward", "drop"])
  },
  control: {
    kind: "value",
    placeholder: "ENDPOINT",
    help: 'where "understudy proxy-control" and others may command it while it runs',
    read: endpointOf
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
    help: "append every event to a file, one JSON line each",
    read: someText("the path of a file, which need not exist")
  },
  record: {
    kind: "value",
    placeholder: "FILE",
    help: "write the frames that came to a file when it stops, one JSON line each, 64 MiB of them at most",
    read: someText("the path of a file, which need not exist")
  },
  ...commonOptions
} as const satisfies OptionTable

/** What `proxy` was asked to do. */
export interface ProxyAsked {
  readonly listen: StreamAddress
  readonly upstream: Upstream
  readonly framing: FramingChoice
  readonly plan: string | undefined
  readonly seed: number | undefined
  readonly tail: "forward" | "drop" | undefined
  readonly control: StreamAddress | undefined
  readonly log: "jsonl" | "pretty" | undefined
  readonly trace: string | undefined
  readonly record: string | undefined
}

/** The options with what follows from them filled in; `null` when one is missing that is needed. */
export const toProxyAsked = (given: GivenOptions): ProxyAsked | null => {
  const listen = given.value(proxyOptions.listen)
  const upstream = given.value(proxyOptions.upstream)
  if (listen === undefined || upstream === undefined) return null
  return {
    listen,
    upstream,
    framing: given.value(proxyOptions.framing) ?? upstream.framing,
    plan: given.value(proxyOptions.plan),
    seed: given.value(proxyOptions.seed),
    tail: given.value(proxyOptions.tail),
    control: given.value(proxyOptions.control),
    log: given.value(proxyOptions.log),
    trace: given.value(proxyOptions.trace),
    record: given.value(proxyOptions.record)
  }
}

/** What is wrong in the combination. */
export const checkProxyOptions = (given: GivenOptions): ReadonlyArray<string> => [
  ...(given.has(proxyOptions.listen)
    ? []
    : ["it needs a place for its clients; add --listen unix:PATH, or --listen tcp:0 for any free port"]),
  ...(given.has(proxyOptions.upstream)
    ? []
    : ["it needs somebody to connect them to; add --upstream unix:PATH, tcp:HOST:PORT or http://HOST:PORT"]),
  ...(isSame(given.value(proxyOptions.listen), given.value(proxyOptions.upstream)?.address)
    ? ["--listen and --upstream are the same; a proxy cannot be its own upstream"]
    : []),
  ...(isSame(given.value(proxyOptions.listen), given.value(proxyOptions.control))
    ? ["--listen and --control are the same; give one of them another path or port"]
    : [])
]

const isSame = (one: UpstreamAddress | undefined, other: UpstreamAddress | undefined): boolean =>
  one !== undefined && other !== undefined && isSamePlace(absolute(one), absolute(other))

const absolute = (address: UpstreamAddress): UpstreamAddress =>
  address.kind === "unix" ? { ...address, path: resolve(address.path) } : address
