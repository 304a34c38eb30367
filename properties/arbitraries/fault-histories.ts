import fc from "fast-check"
import { baselineFaults, type FaultName, faultNames } from "../../src/domain/fault-names.ts"
import type { FaultOptions } from "../../src/domain/fault-options.ts"
import type {
  FaultEntry,
  FaultHistory,
  FaultScriptSpec,
  FaultSetup,
  FaultStep,
  LanesSpec
} from "../model/fault-history.ts"
import { type AskParts, anyFaultAsk, laneNames } from "./fault-asks.ts"
import { weighted } from "./weighted.ts"

/** Texts of one code point and of many, of one byte and of several a character, and with halves of characters. */
const anyText = fc.oneof(
  weighted([2, "x"], [2, "mock response recovered"], [1, "a😀b👨‍👩‍👧é"], [1, "a\ud800b"], [1, '\u0000\r\n"\\']),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
)

const anyArguments = fc.oneof(
  weighted([1, "1"], [1, "{}"], [1, '{"id":7}'], [1, '"a😀b"'], [1, '""']),
  fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value))
)

/** Everything that can be said about a fault. Pauses between comments are long: an hour of short ones is no test. */
export const anyFaultOptions: fc.Arbitrary<FaultOptions> = fc.record(
  {
    successText: anyText,
    partialText: anyText,
    reasoningText: anyText,
    chunkSize: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(100)),
    chunkDelayMs: weighted([2, 25], [1, 0], [1, 1], [1, 7]),
    disconnectDelayMs: weighted([2, 10], [1, 0], [1, 40]),
    retryAfterMs: fc.constantFrom(1, 999, 1_000, 1_001, 2_147_483_647),
    requestId: fc.constant("request-1"),
    toolName: fc.constantFrom("lookup", "né"),
    toolArguments: anyArguments,
    resetMode: fc.constantFrom("fin", "rst"),
    headDelayMs: weighted([2, 30], [1, 0], [1, 1]),
    contextWindow: fc.constantFrom(1, 1_000),
    cutAfterEvents: fc.nat(12),
    cutAfterBytes: fc.nat(600)
  },
  { requiredKeys: [] }
)

const serverOptions = anyFaultOptions.chain((options) =>
  fc.constantFrom(600_000, 1_800_000).map((heartbeatMs) => ({ heartbeatMs, headDelayMs: 30, ...options }))
)

/** The behaviours that take time, or none at all, are what interleavings are made of. */
const waiting: ReadonlyArray<FaultName> = [
  "slow_success",
  "partial_disconnect",
  "stream_disconnect",
  "stall",
  "slow_head",
  "partial_stall",
  "connection_reset"
]

export const anyFault: fc.Arbitrary<FaultName> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...waiting) },
  { weight: 2, arbitrary: fc.constantFrom(...baselineFaults) },
  { weight: 3, arbitrary: fc.constantFrom(...faultNames) }
)

const entry = (behavior: fc.Arbitrary<FaultName | "random">): fc.Arbitrary<FaultEntry> =>
  fc.record({
    behavior,
    times: weighted([5, 1], [1, 2], [1, 3]),
    mode: weighted([4, null], [1, "rst"], [1, "fin"]),
    options: fc.option(anyFaultOptions, { freq: 2 })
  })

const anyEntry = entry(
  fc.oneof({ weight: 3, arbitrary: anyFault }, { weight: 1, arbitrary: fc.constant("random" as const) })
)

const script = (maxLength: number): fc.Arbitrary<FaultScriptSpec> =>
  fc.record({ entries: fc.array(anyEntry, { minLength: 1, maxLength }), repeatLast: fc.boolean() })

/** A gap that no step waits for shows what is left of it when the server is closed. */
const gapMs = weighted([4, 5], [4, 40], [1, 100_000])

/** Gaps before some of the entries, all timed or all of one connect where two stand together. */
const gapped: fc.Arbitrary<FaultScriptSpec> = fc
  .record({
    entries: fc.array(fc.tuple(fc.array(gapMs, { maxLength: 2 }), anyEntry), {
      minLength: 1,
      maxLength: 5
    }),
    isCounted: fc.boolean(),
    repeatLast: fc.boolean()
  })
  .map(({ entries, isCounted, repeatLast }) => ({
    entries: entries.flatMap(([gaps, own]) => [...gaps.map((ms) => ({ gapMs: isCounted ? null : ms })), own]),
    repeatLast
  }))

export const anyFaultWeights = fc
  .uniqueArray(fc.tuple(anyFault, fc.constantFrom(0, 1, 2, 0.5, 3)), {
    minLength: 1,
    maxLength: 5,
    selector: ([name]) => name
  })
  .filter((weights) => weights.some(([, weight]) => weight > 0))

/** Where all share one script, a second one for the lane of all would leave open which of them counts. */
const isPlain = ({ perLane, scripts }: LanesSpec): boolean =>
  perLane !== false || scripts.every(({ pattern }) => pattern !== "default")

const lanes: fc.Arbitrary<LanesSpec> = fc
  .record({
    by: fc.shuffledSubarray(["path", "header:x-lane", "fingerprint"] as const),
    perLane: fc.option(fc.boolean()),
    scripts: fc.uniqueArray(
      fc
        .tuple(
          fc.constantFrom(...laneNames, "be*", "*"),
          script(4),
          anyFaultOptions,
          fc.option(anyFaultWeights, { freq: 2 })
        )
        .map(([pattern, own, options, weights]) => ({ ...own, pattern, options, weights })),
      { maxLength: 3, selector: ({ pattern }) => pattern }
    ),
    isStrict: weighted([3, false], [1, true]),
    onlyForeground: weighted([4, false], [1, true])
  })
  .filter(isPlain)

/** How much of everything a history has. */
export interface HistoryParts {
  readonly asks?: AskParts
  readonly lanes?: "some" | "none" | "always"
  readonly gaps?: boolean
  readonly steps?: fc.Arbitrary<ReadonlyArray<FaultStep>>
  readonly observer?: fc.Arbitrary<FaultSetup["observer"]>
  readonly draws?: fc.Arbitrary<FaultSetup["draws"]>
}

export const anyFaultSetup = (parts: HistoryParts = {}): fc.Arbitrary<FaultSetup> => {
  const { lanes: laned = "some", gaps = false, observer = fc.constant("quiet" as const) } = parts
  const base = script(5)
  return fc
    .record({
      script: gaps ? fc.oneof({ weight: 2, arbitrary: base }, { weight: 1, arbitrary: gapped }) : base,
      lanes: laned === "none" || gaps ? fc.constant(null) : laned === "always" ? lanes : fc.option(lanes, { freq: 2 }),
      isBare: weighted([3, false], [1, true]),
      hasKey: weighted([3, false], [1, true]),
      isLimited: weighted([2, false], [1, true]),
      formats: fc.option(fc.subarray(["chat", "responses", "messages"] as const, { minLength: 1 }), { freq: 2 }),
      settings: serverOptions,
      terms: fc.record({
        chunkShape: fc.constantFrom("minimal", "complete"),
        usagePlacement: weighted([3, "attached"], [1, "trailing"], [1, "both"], [1, "none"], [1, "auto"]),
        streaming: weighted([2, "auto"], [1, "strict"], [1, "sse"]),
        markErrors: fc.boolean(),
        telemetry: fc.constantFrom("baseline", "full")
      }),
      seed: fc.oneof(fc.constantFrom(0, 42), fc.integer({ min: 0, max: 4_294_967_295 })),
      weights: fc.option(anyFaultWeights, { freq: 2 }),
      draws: parts.draws ?? fc.option(fc.array(fc.nat(9), { maxLength: 8 }), { freq: 2 }),
      observer
    })
    .map(({ isBare, ...setup }) => ({
      ...setup,
      script: isBare && setup.lanes !== null && setup.lanes.scripts.length > 0 ? null : setup.script,
      formats: setup.formats?.length === 3 ? null : setup.formats
    }))
}

const client = fc.nat(7)

/** What can happen besides requests, each as often as its weight says. */
export const steps = (weights: Partial<Record<FaultStep["does"], number>>, asks: AskParts = {}, maxLength = 24) =>
  fc.array(fc.oneof(...stepKinds(weights, asks)), { minLength: 1, maxLength, size: "max" })

const stepKinds = (
  weights: Partial<Record<FaultStep["does"], number>>,
  asks: AskParts
): ReadonlyArray<{ readonly weight: number; readonly arbitrary: fc.Arbitrary<FaultStep> }> => {
  const kinds: Readonly<Record<FaultStep["does"], fc.Arbitrary<FaultStep>>> = {
    ask: anyFaultAsk(asks).map((ask) => ({ does: "ask", ask })),
    settle: fc.constant({ does: "settle" }),
    tick: fc.constant({ does: "tick" }),
    advance: fc.constantFrom(1, 7, 10, 25, 60, 2_000).map((ms) => ({ does: "advance", ms })),
    arrive: client.map((index) => ({ does: "arrive", client: index })),
    leave: client.map((index) => ({ does: "leave", client: index })),
    read: client.map((index) => ({ does: "read", client: index })),
    refuse: fc.constantFrom(5, 40, null).map((ms) => ({ does: "refuse", ms })),
    accept: fc.constant({ does: "accept" }),
    close: fc.constant({ does: "close" })
  }
  const names = Object.entries<fc.Arbitrary<FaultStep>>(kinds)
  const all: Readonly<Record<string, number | undefined>> = weights
  return names.flatMap(([name, arbitrary]) => {
    const weight = all[name]
    return weight === undefined ? [] : [{ weight, arbitrary }]
  })
}

/** Histories; what is due together is picked by the drawn ties. */
export const faultHistories = (parts: HistoryParts = {}): fc.Arbitrary<FaultHistory> =>
  fc.record({
    setup: anyFaultSetup(parts),
    steps: parts.steps ?? steps({ ask: 6, settle: 2, tick: 1, advance: 2, arrive: 2 }, parts.asks),
    ties: fc.array(fc.nat(5), { maxLength: 20 })
  })

/** Many behaviours, asked for in one format by clients that stay: each comes in its turn of the script. */
export const faultSweeps: fc.Arbitrary<FaultHistory> = fc
  .tuple(
    anyFaultSetup({ lanes: "none" }),
    fc.shuffledSubarray([...faultNames], { minLength: 1 }),
    anyFaultAsk({}),
    fc.nat(1)
  )
  .map(([setup, names, ask, exhausted]) => ({
    setup: {
      ...setup,
      hasKey: false,
      formats: null,
      script: {
        entries: names.map((behavior) => ({ behavior, times: 1, mode: null, options: null })),
        repeatLast: false
      }
    },
    steps: Array.from({ length: names.length + exhausted }, () => ({ does: "ask" as const, ask })),
    ties: []
  }))
