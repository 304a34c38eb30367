import fc from "fast-check"

/** How a simulated agent answers one call. */
export type CallFate = "result" | "error" | "both" | "neither" | "twice" | "wrong type" | "never"

/** How a custom notification stands on the wire. */
export type ExtShape = "bare" | "prefixed" | "wrapped" | "wrapped and prefixed"

/** What a simulated agent writes besides answers. */
export type Aside =
  | { readonly kind: "chunk"; readonly sessionId: string; readonly text: string }
  | { readonly kind: "update"; readonly sessionId: string; readonly name: string }
  | { readonly kind: "ext"; readonly shape: ExtShape; readonly name: string }
  | { readonly kind: "noise"; readonly text: string }

/** One thing that an agent writes: the answer to a call by its place, or something else. */
export type Written = { readonly kind: "answer"; readonly call: number } | Aside

/** Calls with their fates, what the agent writes in which order, and whether it ends behind that. */
export interface Conversation {
  readonly fates: ReadonlyArray<CallFate>
  readonly written: ReadonlyArray<Written>
  readonly exits: boolean
}

const sessionId = fc.constantFrom("s1", "s2", "ü")
const text = fc.oneof(fc.constantFrom("", "é", "a\nb", "🙂"), fc.string({ unit: "grapheme", maxLength: 5 }))

const aside: fc.Arbitrary<Aside> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("chunk" as const), sessionId, text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("update" as const),
      sessionId,
      name: fc.constantFrom("plan", "turn_completed", "agent_thought_chunk", "__proto__")
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("ext" as const),
      shape: fc.constantFrom<ExtShape>("bare", "prefixed", "wrapped", "wrapped and prefixed"),
      name: fc.constantFrom("x.ai/a", "x.ai/b", "constructor")
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("noise" as const),
      text: fc.constantFrom("npm warn foo", "", " ", "[]", "7", "{}", '{"id":"1","result":1}', '{"id":900,"error":1}')
    })
  }
)

const fate = fc.constantFrom<CallFate>("result", "result", "error", "both", "neither", "twice", "wrong type", "never")

/** Conversations of up to five calls, answered in any order with anything between. */
export const conversations: fc.Arbitrary<Conversation> = fc
  .record({
    fates: fc.array(fate, { minLength: 1, maxLength: 5 }),
    asides: fc.array(aside, { maxLength: 10 }),
    exits: fc.boolean()
  })
  .chain(({ fates, asides, exits }) => {
    const answers = fates.flatMap((fate, call): ReadonlyArray<Written> => {
      if (fate === "never") return []
      const answer = { kind: "answer" as const, call }
      return fate === "twice" ? [answer, answer] : [answer]
    })
    const all: ReadonlyArray<Written> = [...answers, ...asides]
    const written = fc.shuffledSubarray([...all], { minLength: all.length })
    return written.map((order) => ({ fates, written: order, exits }))
  })

/** What an agent asks, and how it goes on: handled at once, later, not at all, by an error, taken back. */
export interface AskedOfUs {
  readonly idToken: string
  readonly method: "now" | "later" | "throws" | "rejects" | "unknown" | "session/request_permission"
  readonly isTakenBack: boolean
}

/** Requests with ids as agents write them; a request that may be taken back may be answered before that. */
export const askedOfUs = (idTokens: fc.Arbitrary<string>): fc.Arbitrary<ReadonlyArray<AskedOfUs>> =>
  fc.array(
    fc.record({
      idToken: idTokens,
      method: fc.constantFrom<AskedOfUs["method"]>(
        "now",
        "later",
        "throws",
        "rejects",
        "unknown",
        "session/request_permission"
      ),
      isTakenBack: fc.boolean()
    }),
    { minLength: 1, maxLength: 6 }
  )

/** What happens to a session, in order; `ms` is how long nothing else does. */
export type SessionEvent =
  | { readonly kind: "call" | "wait" | "initialize" | "prompt" }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "close"; readonly mode: "eof" | "terminate" | "kill" }
  | { readonly kind: "agent"; readonly does: "exit" | "close output" | "close input" | "write" | "pollute" }

export const sessionEvents: fc.Arbitrary<ReadonlyArray<SessionEvent>> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("call" as const, "wait" as const, "initialize" as const, "prompt" as const) }),
    fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(0, 1, 50, 700) }),
    fc.record({
      kind: fc.constant("close" as const),
      mode: fc.constantFrom("eof" as const, "terminate" as const, "kill" as const)
    }),
    fc.record({
      kind: fc.constant("agent" as const),
      does: fc.constantFrom(
        "exit" as const,
        "close output" as const,
        "close input" as const,
        "write" as const,
        "pollute" as const
      )
    })
  ),
  { maxLength: 10 }
)

/** Answers of a choice, as a source of them takes its list. */
export const answers = fc.array(fc.nat({ max: 15 }), { maxLength: 60 })
