import fc from "fast-check"
import type { ActionType } from "../../src/proxy/plan/fault-program.ts"
import type { ActionSource, MatchSource, PlanSource, RuleSource } from "../../src/proxy/plan/plan-source.ts"
import type { ProxyDeed, TimedDeed } from "./proxy-scenes.ts"

/** Barriers that rules name, and tests release. */
export const barriers = ["a", "b"] as const

const index = fc.nat(6)
const size = fc.integer({ min: 1, max: 40 })

const conditions: fc.Arbitrary<MatchSource> = fc.oneof(
  fc.record({ index }),
  fc.record({ range: fc.oneof(index, fc.record({ from: index })) }),
  fc.record({
    every: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.record({ step: size, first: index.map((n) => n + 1) }))
  }),
  fc.record({ byteOffset: fc.nat(120) }),
  fc.record({ kind: fc.constantFrom("text", "binary", "continuation") }),
  fc.record({ method: fc.constantFrom("session/update", "session/prompt") }),
  fc.constant({ where: { "/params/n": 1 } }),
  fc.record({ nth: fc.oneof(index, fc.record({ from: index })) }),
  fc.record({ probability: fc.constantFrom(0, 0.25, 0.5, 0.9, 1) })
)

/** One condition or two, as more of them are met by no frame. */
const match = fc.oneof(
  conditions,
  fc.tuple(conditions, conditions).map(([one, other]) => ({ ...one, ...other }))
)

const type = <Type extends ActionType>(name: Type) => fc.constant(name)

/** Every action has its row: one that is added to the language without it does not compile. */
const actions: Readonly<Record<ActionType, fc.Arbitrary<ActionSource>>> = {
  drop: type("drop"),
  sever: fc.oneof(type("sever"), fc.record({ type: type("sever"), afterBytes: fc.nat(12) })),
  corrupt: fc.oneof(
    type("corrupt"),
    fc.record({
      type: type("corrupt"),
      offset: fc.integer({ min: -9, max: 9 }),
      xor: fc.integer({ min: 1, max: 255 })
    })
  ),
  truncateBody: fc.record({ type: type("truncateBody"), keep: fc.nat(6) }),
  badLength: fc.record({ type: type("badLength"), value: fc.oneof(fc.nat(300), fc.nat(2 ** 31)) }),
  reorder: type("reorder"),
  hold: fc.record({ type: type("hold"), barrier: fc.constantFrom(...barriers) }),
  delay: fc.record({ type: type("delay"), ms: fc.nat(300) }),
  latency: fc.record({ type: type("latency"), ms: fc.nat(50), jitterMs: fc.nat(50) }),
  duplicate: fc.record({ type: type("duplicate"), copies: fc.integer({ min: 2, max: 4 }) }),
  inject: fc.record({
    type: type("inject"),
    bytes: fc.record({ text: fc.constantFrom("a", "bc") }),
    at: fc.constantFrom("before", "after")
  }),
  splitWrites: fc.record({
    type: type("splitWrites"),
    chunkSizes: fc.array(size, { minLength: 1, maxLength: 3 })
  }),
  throttle: fc.record({ type: type("throttle"), bytesPerSecond: fc.constantFrom(7, 40, 1_000, 50_000) }),
  stall: type("stall"),
  halfClose: type("halfClose"),
  vanish: type("vanish"),
  reset: type("reset")
}

/** Those after which less comes than was sent, or nothing of the connection is left. */
const cutting: ReadonlyArray<ActionType> = ["sever", "reset"]
const silencing: ReadonlyArray<ActionType> = ["halfClose", "vanish"]
const changing: ReadonlyArray<ActionType> = ["corrupt", "truncateBody", "badLength", "inject"]

/** Which actions are left out, and which way rules are for. */
export interface ProgramOptions {
  readonly without?: ReadonlyArray<"cutting" | "silencing" | "changing">
  readonly directions?: ReadonlyArray<"c2u" | "u2c" | "both">
}

const groups = { cutting, silencing, changing }

export const ruleSources = ({
  without = [],
  directions = ["c2u", "u2c", "both"]
}: ProgramOptions = {}): fc.Arbitrary<RuleSource> => {
  const left = new Set<string>(without.flatMap((group) => groups[group]))
  const kept = Object.entries(actions).filter(([name]) => !left.has(name))
  return fc
    .tuple(
      fc.record({
        direction: fc.constantFrom(...directions),
        match,
        action: fc.oneof(...kept.map(([, action]) => action))
      }),
      fc.record(
        {
          times: fc.integer({ min: 1, max: 3 }),
          connection: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.record({ from: fc.integer({ min: 1, max: 3 }) }))
        },
        { requiredKeys: [] }
      )
    )
    .map(([rule, more]) => ({ ...rule, ...more }))
}

/** Fault plans of every action: of three, one whose rules are all about the same frames, and one where they name the first frames. */
export const faultPrograms = (options: ProgramOptions = {}): fc.Arbitrary<PlanSource> => {
  const rules = ruleSources(options)
  const first = fc
    .tuple(rules, fc.integer({ min: 1, max: 3 }))
    .map(([rule, index]) => ({ ...rule, match: { index }, connection: null, times: null }))
  return fc
    .oneof(
      fc.array(rules, { maxLength: 6 }),
      fc.array(first, { maxLength: 6 }),
      fc.array(rules, { maxLength: 6 }).map((list) => list.map((rule) => ({ ...rule, ...aboutOf(list) })))
    )
    .map((list) => ({ rules: list }))
}

const aboutOf = ([first]: ReadonlyArray<RuleSource>): Partial<RuleSource> =>
  first === undefined ? {} : { match: first.match ?? {}, direction: first.direction ?? "both" }

/** Whose rules name frames by number alone, and change none of their bytes. */
export const indexPrograms: fc.Arbitrary<PlanSource> = fc.record({
  rules: fc.array(
    fc.record({
      direction: fc.constantFrom("c2u", "u2c", "both"),
      match: fc.oneof(
        fc.record({ index }),
        fc.record({ range: fc.record({ from: index }) }),
        fc.record({ every: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ probability: fc.constantFrom(0.25, 0.5) })
      ),
      action: fc.oneof(
        actions.drop,
        actions.reorder,
        actions.hold,
        actions.delay,
        actions.latency,
        actions.duplicate,
        actions.stall,
        actions.halfClose
      )
    }),
    { maxLength: 5 }
  )
})

const direction = fc.constantFrom<"clientToLeader" | "leaderToClient">("clientToLeader", "leaderToClient")
const connection = fc.integer({ min: 1, max: 3 })

/** What stops and starts streams, and loses nothing. */
export const flowDeeds: fc.Arbitrary<ProxyDeed> = fc.oneof(
  fc.record({
    type: fc.constantFrom<"pause" | "resume">("pause", "resume"),
    direction,
    connection: fc.option(connection, { nil: undefined })
  }),
  fc.record({
    type: fc.constantFrom<"partition" | "heal">("partition", "heal"),
    direction: fc.option(direction)
  }),
  fc.record({ type: fc.constant("release" as const), barrier: fc.constantFrom(...barriers) })
)

/** What ends connections from outside. */
export const cuttingDeeds: fc.Arbitrary<ProxyDeed> = fc.oneof(
  fc.constant<ProxyDeed>({ type: "severNow" }),
  fc.record({ type: fc.constantFrom<"vanish" | "severConnection">("vanish", "severConnection"), connection })
)

/** What changes the plan. */
export const ruleDeeds = (options: ProgramOptions = {}): fc.Arbitrary<ProxyDeed> =>
  fc.oneof(
    fc.record({ type: fc.constant("addRule" as const), rule: ruleSources(options) }),
    fc.record({
      type: fc.constant("removeRule" as const),
      id: fc.constantFrom("rule-1", "rule-2", "rule-3", "added-1", "added-2")
    }),
    fc.record({ type: fc.constant("setPlan" as const), plan: faultPrograms(options) })
  )

const when: fc.Arbitrary<TimedDeed["when"]> = fc.oneof(
  fc.record({ afterMs: fc.nat(200) }),
  fc.record({ atEvent: fc.integer({ min: 1, max: 40 }) })
)

export const timed = (deeds: fc.Arbitrary<ProxyDeed>, { max = 5 } = {}): fc.Arbitrary<ReadonlyArray<TimedDeed>> =>
  fc.array(fc.record({ when, deed: deeds }), { maxLength: max })
