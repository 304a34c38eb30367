import fc from "fast-check"
import type { Ask, Cuts, Deed, Line, Story, Visit, Wanted, Word } from "../model/story.ts"
import { weighted } from "./weighted.ts"

/** How much of what a story has. */
export interface StoryParts {
  readonly deeds: fc.Arbitrary<ReadonlyArray<Deed>>
  readonly ask?: fc.Arbitrary<Ask>
  readonly visitsMax?: number
  readonly asksMax?: number
}

const visitsMax = 5
const scheduleMax = 60

/** Few values, so that requests are often identical, or differ in one thing. */
export const anyAsk: fc.Arbitrary<Ask> = fc.record({
  endpoint: weighted([5, "ChatCompletions"], [1, "Responses"]),
  kind: weighted([4, "auxiliary"], [1, "foreground"]),
  tells: weighted([4, "x-grok-session-id"], [1, "session-id"], [1, "prompt_cache_key"], [1, "bearer"], [2, "words"]),
  session: weighted([2, "ann"], [1, "bob"]),
  turn: weighted([3, 1], [1, 2]),
  words: weighted([3, 0], [1, 1]),
  id: weighted([3, null], [2, "a"], [1, "b"]),
  key: weighted([6, null], [1, "k"])
})

/** Mostly one call, in two sessions: retries, and other clients with the same words. */
export const sameAsk: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      endpoint: fc.constant("ChatCompletions"),
      kind: fc.constant("auxiliary"),
      tells: fc.constant("x-grok-session-id"),
      session: weighted([2, "ann"], [1, "bob"]),
      turn: fc.constant(1),
      words: fc.constant(0),
      id: weighted([1, null], [1, "a"]),
      key: fc.constant(null)
    })
  },
  { weight: 1, arbitrary: anyAsk }
)

const cuts = weighted<Cuts>([3, 0], [1, 1], [1, 2], [1, 3])

const asksMax = 3

const visit = (ask: fc.Arbitrary<Ask>, maxLength: number): fc.Arbitrary<Visit> =>
  fc.record({
    asks: fc.array(fc.record({ ask, cuts }), { minLength: 1, maxLength }),
    leavesAt: fc.option(fc.nat(6), { freq: 2 })
  })

export const wanted: fc.Arbitrary<Wanted> = fc.record({
  endpoint: weighted([3, null], [2, "ChatCompletions"], [1, "Responses"]),
  kind: weighted([3, null], [2, "auxiliary"], [1, "foreground"]),
  session: weighted([4, null], [2, "ann"], [1, "bob"]),
  turn: weighted([4, null], [1, 1], [1, 2])
})

export const line: fc.Arbitrary<Line> = fc
  .record({
    body: weighted([3, "events"], [2, "text"], [1, "none"]),
    status: weighted([3, 200], [1, 500]),
    ending: weighted([5, "end"], [1, "fin"], [2, "rst"], [1, "halfClose"], [1, "stall"]),
    isBarred: fc.boolean()
  })
  .map((drawn) => (drawn.body === "none" && drawn.ending === "end" ? { ...drawn, ending: "rst" } : drawn))

const whole = (drawn: Line): Line => ({ ...drawn, body: drawn.body === "none" ? "text" : drawn.body, ending: "end" })

/** Cut or refused, so that the next request of the call is a retry. */
const failingLine: fc.Arbitrary<Line> = line.map((drawn) =>
  drawn.ending === "end" ? { ...drawn, status: 500 } : drawn
)

const word: fc.Arbitrary<Word> = fc.oneof(
  fc.record({ says: fc.constant("reply"), line }),
  fc.record({ says: weighted([2, "replyText"], [1, "fail"], [2, "proceed"], [3, "stream"], [3, "write"]) }),
  fc.record({ says: fc.constant("hangUp"), ending: fc.constantFrom("fin", "rst", "stall", "halfClose") }),
  fc.record({ says: fc.constant("end"), ending: weighted([3, "end"], [1, "rst"], [1, "stall"]) })
)

const member = fc.record({ wanted, line })
const unbarred = fc.record({ wanted, line: failingLine.map((drawn) => ({ ...drawn, isBarred: false })) })

const anybody: Wanted = { endpoint: null, kind: null, session: null, turn: null }

const plain: Line = { body: "events", status: 200, ending: "end", isBarred: false }

/** Deeds of each kind. */
export const deeds = {
  expect: fc.record({
    does: fc.constant("expect"),
    wanted,
    line,
    times: weighted<number | null>([3, null], [1, 1], [1, 2], [1, 3])
  }),
  /** Whoever asks first stands before the end of its answer, and copies of it join. */
  barred: fc
    .record({ body: fc.constantFrom("events" as const, "text" as const) })
    .map(
      ({ body }): Deed => ({ does: "expect", wanted: anybody, line: { ...plain, body, isBarred: true }, times: null })
    ),
  any: fc.record({ does: fc.constant("any"), members: fc.array(member, { minLength: 1, maxLength: 3 }) }),
  /** All attempts of one deed have one matcher. */
  attempts: fc
    .record({ does: fc.constant("attempts"), members: fc.array(unbarred, { minLength: 1, maxLength: 3 }) })
    .map(({ does, members }) => ({
      does,
      members: members.map((each) => ({ ...each, wanted: members[0]?.wanted ?? each.wanted }))
    })),
  next: fc.record({ does: fc.constant("take"), wanted, count: fc.constant(null) }),
  gather: fc.record({ does: fc.constant("take"), wanted, count: fc.integer({ min: 1, max: 3 }) }),
  say: fc.record({ does: fc.constant("say"), call: fc.nat(5), word }),
  proceed: fc.record({
    does: fc.constant("say"),
    call: fc.nat(5),
    word: fc.record({ says: fc.constant("proceed") })
  }),
  /** A stream, and what is said to it. */
  stream: fc.record({
    does: fc.constant("say"),
    call: weighted([3, 0], [1, 1]),
    word: fc.oneof(
      fc.record({ says: fc.constantFrom("stream" as const, "write" as const) }),
      fc.record({ says: fc.constant("end"), ending: weighted([3, "end"], [1, "rst"], [1, "stall"]) })
    )
  }),
  /** A whole answer. */
  reply: fc.record({
    does: fc.constant("say"),
    call: fc.nat(5),
    word: fc.oneof(
      fc.record({ says: fc.constantFrom("replyText" as const, "fail" as const) }),
      fc.record({ says: fc.constant("reply"), line: line.map(whole) })
    )
  }),
  release: fc.record({ does: fc.constant("release"), script: fc.nat(6) }),
  retire: fc.record({ does: fc.constant("retire"), script: fc.nat(6) }),
  close: fc.record({ does: fc.constant("close"), drainMs: fc.constantFrom(0, 10) }),
  advance: fc.record({ does: fc.constant("advance"), ms: fc.constantFrom(5, 10, 16_000) })
} as const satisfies Readonly<Record<string, fc.Arbitrary<Deed>>>

/** A list of deeds in which each kind comes as often as its weight says. */
export const deedList = (
  weights: Partial<Record<keyof typeof deeds, number>>,
  maxLength = 10
): fc.Arbitrary<ReadonlyArray<Deed>> => {
  const all: Readonly<Record<string, number | undefined>> = weights
  const kinds = Object.entries<fc.Arbitrary<Deed>>(deeds).flatMap(([name, arbitrary]) => {
    const weight = all[name]
    return weight === undefined ? [] : [{ weight, arbitrary }]
  })
  return fc.array(fc.oneof(...kinds), { maxLength })
}

/** For whoever comes, so that many come, and leave again. */
const openGather = fc.record({
  does: fc.constant("take"),
  wanted: fc.constant(anybody),
  count: weighted<number>([1, 2], [2, 3], [1, 1])
})

/** Gatherings first, among them overlapping ones; then their answers in a drawn order. */
export const gatherings: fc.Arbitrary<ReadonlyArray<Deed>> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: openGather }, deeds.gather, deeds.next), {
      minLength: 1,
      maxLength: 3
    }),
    deedList({ reply: 8, say: 1, advance: 1, close: 1 })
  )
  .map(([takings, answers]) => [...takings, ...answers])

/** One call or two in the hand of the test, and all that can happen to them. */
export const heldCalls: fc.Arbitrary<ReadonlyArray<Deed>> = fc
  .tuple(
    fc.array(fc.oneof(deeds.next, deeds.gather), { minLength: 1, maxLength: 2 }),
    deedList({ say: 6, proceed: 3, stream: 5, close: 1, advance: 1, expect: 1, release: 1 })
  )
  .map(([takings, rest]) => [...takings, ...rest])

/** Calls that are held while attempts are scripted, and then go on to be answered by them. */
const heldBeforeAttempts = fc
  .tuple(
    weighted<number>([3, 2], [1, 1], [1, 3]),
    fc.array(member, { minLength: 2, maxLength: 3 }),
    fc.array(deeds.proceed, { minLength: 2, maxLength: 4 })
  )
  .map(
    ([count, members, proceeds]): ReadonlyArray<Deed> => [
      { does: "take", wanted: anybody, count },
      {
        does: "attempts",
        members: members.map((each) => ({ line: { ...each.line, isBarred: false }, wanted: anybody }))
      },
      ...proceeds
    ]
  )

/** Chains whose answers outlast their call: the same words asked again are another one, with failures of its own. */
const attemptsLeftOver = fc
  .array(
    fc.record({
      fails: fc.array(failingLine, { minLength: 0, maxLength: 1 }),
      succeeds: line.map((drawn): Line => ({ ...whole(drawn), status: 200 })),
      rest: fc.array(line, { maxLength: 2 })
    }),
    { minLength: 1, maxLength: 3 }
  )
  .map((chains) =>
    chains.map(
      ({ fails, succeeds, rest }): Deed => ({
        does: "attempts",
        members: [...fails, succeeds, ...rest].map((each) => ({ line: { ...each, isBarred: false }, wanted: anybody }))
      })
    )
  )

/** Attempts of several calls, and other scripts that a retry might eat. */
export const attemptScripts: fc.Arbitrary<ReadonlyArray<Deed>> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.array(deeds.attempts, { minLength: 1, maxLength: 3 }),
        deedList({ attempts: 2, expect: 2, any: 1, next: 1, proceed: 2, release: 1, retire: 1 }, 6)
      )
      .map(([first, rest]) => [...first, ...rest])
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(attemptsLeftOver, deedList({ barred: 2, attempts: 1, next: 1, proceed: 1, release: 2 }, 4))
      .map(([first, rest]) => [...first, ...rest])
  },
  { weight: 1, arbitrary: heldBeforeAttempts }
)

/** All kinds of deeds, in any order. */
export const allDeeds: fc.Arbitrary<ReadonlyArray<Deed>> = deedList({
  expect: 3,
  barred: 3,
  any: 2,
  attempts: 2,
  next: 2,
  gather: 2,
  say: 4,
  release: 2,
  retire: 1,
  close: 1,
  advance: 1
})

/** Stories with these deeds; every interleaving of their steps is drawn. */
export const stories = ({
  deeds: drawn,
  ask = anyAsk,
  visitsMax: most = visitsMax,
  asksMax: asks = asksMax
}: StoryParts): fc.Arbitrary<Story> =>
  fc.record({
    isStrict: fc.boolean(),
    isCounting: fc.boolean(),
    retries: weighted([4, "own"], [1, "any"]),
    deeds: drawn,
    visits: fc.array(visit(ask, asks), { minLength: 1, maxLength: most }),
    schedule: fc.array(fc.nat(7), { maxLength: scheduleMax })
  })
