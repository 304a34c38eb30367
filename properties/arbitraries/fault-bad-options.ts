import fc from "fast-check"

/** A member that no server may be started with. */
export interface BadOption {
  readonly member: string
  readonly value: unknown
}

const notInteger = fc.constantFrom<unknown>("8", Number.NaN, 1.5, Number.POSITIVE_INFINITY, null, {}, true)
const outside = (least: number, most: number): fc.Arbitrary<unknown> =>
  fc.oneof(
    notInteger,
    fc.integer({ min: -1_000, max: least - 1 }),
    fc.integer({ min: 1, max: 1_000 }).map((more) => most + more)
  )
const delay = outside(0, 2_147_483_647)
const noText = fc.constantFrom<unknown>("", 5, null, [], {})
const noHeader = fc.oneof(noText, fc.constantFrom<unknown>("é", "a\nb"))

const badEntry = fc.constantFrom<unknown>(
  "bogus",
  "",
  " ",
  "script_exhausted",
  "success:maybe",
  "success*0",
  "success*x",
  "Success",
  "connection_refused:-1",
  5,
  null,
  {},
  { behavior: "bogus" },
  { behavior: "success", times: 0 },
  { behavior: "success", tims: 2 },
  { behavior: "success", options: { chunkSize: 0 } },
  { behavior: "success", options: { chunkSise: 2 } },
  { behavior: "success", options: { successText: "" } }
)

/** A good script with a bad entry somewhere in it, or none at all. */
const sequence = fc.oneof(
  fc.constantFrom<unknown>(
    [],
    undefined,
    "success",
    null,
    ["connection_refused:5"],
    ["success", "connection_refused:5"]
  ),
  fc
    .tuple(fc.array(fc.constantFrom("success", "random", "rate_limit*2"), { maxLength: 3 }), badEntry, fc.nat(3))
    .map(([good, bad, at]) => [...good.slice(0, at), bad, ...good.slice(at)])
)

const weights = fc.constantFrom<unknown>(
  {},
  { success: 0 },
  { success: -1 },
  { success: Number.NaN },
  { success: "1" },
  { random: 1 },
  { script_exhausted: 1 },
  { connection_refused: 1 },
  { bogus: 1 },
  null,
  []
)

const lanes = fc.constantFrom<unknown>(
  null,
  [],
  { by: ["user"] },
  { by: ["json:user"] },
  { by: ["header:"] },
  { by: "path" },
  { by: null },
  { perLane: "no" },
  { isStrict: 1 },
  { lanePort: null },
  { onlyForeground: "yes" },
  { scripts: ["success"] },
  { scripts: null },
  { scripts: { a: null } },
  { scripts: { a: { sequence: ["success"], repeatLast: "no" } } },
  { scripts: { a: { sequence: ["success"], options: null } } },
  { scripts: { "be*": { sequence: ["success", "connection_refused:5", "success"] } }, lanePort: true },
  { scripts: { "*": { sequence: ["success", "connection_refused:5", "success"] } }, lanePort: true },
  { byy: [] },
  { scripts: { a: { sequence: ["nope"] } } },
  { scripts: { a: { sequence: [] } } },
  { scripts: { a: { sequence: ["success"], weights: {} } } },
  { scripts: { a: { sequence: ["success"], options: { chunkSize: 0 } } } },
  { scripts: { a: { sequence: ["success", "connection_refused:5", "success"] } } }
)

const notAllowed = fc.constantFrom<unknown>("tiny", 1, null, "")

const members: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  sequence,
  randomWeights: weights,
  lanes,
  port: outside(0, 65_535),
  chunkSize: outside(1, Number.MAX_SAFE_INTEGER),
  chunkDelayMs: delay,
  disconnectDelayMs: delay,
  headDelayMs: delay,
  retryAfterMs: outside(1, 2_147_483_647),
  heartbeatMs: outside(1, 2_147_483_647),
  cutAfterEvents: outside(0, Number.MAX_SAFE_INTEGER),
  cutAfterBytes: outside(0, Number.MAX_SAFE_INTEGER),
  randomSeed: outside(0, 4_294_967_295),
  maxBodyBytes: outside(0, 1_073_741_824),
  recordsMax: outside(0, Number.MAX_SAFE_INTEGER),
  host: noText,
  apiKey: noText,
  successText: noText,
  partialText: noText,
  reasoningText: noText,
  toolName: noText,
  requestId: noHeader,
  toolArguments: fc.constantFrom<unknown>("{", "", 5, null),
  resetMode: notAllowed,
  chunkShape: notAllowed,
  usagePlacement: notAllowed,
  streaming: notAllowed,
  telemetry: notAllowed,
  repeatLast: notAllowed,
  markErrors: notAllowed,
  faultHeader: notAllowed,
  keyed: notAllowed,
  formats: fc.constantFrom<unknown>([], ["chat", "video"], "chat", null),
  profile: fc.constantFrom<unknown>("bogus", null, {}, 5),
  onEvent: fc.constantFrom<unknown>(5, null, {}),
  sequenze: fc.constant(1)
}

/** One bad member of whatever kind. */
export const badOption: fc.Arbitrary<BadOption> = fc
  .oneof(
    { weight: 1, arbitrary: fc.constantFrom("sequence", "lanes", "randomWeights") },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(members)) }
  )
  .chain((member) => (members[member] ?? fc.constant(undefined)).map((value) => ({ member, value })))
