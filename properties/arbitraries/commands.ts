import fc from "fast-check"
import type { RequestClass } from "../../src/domain/classification.ts"
import {
  type BarrierPlace,
  barrierName,
  type Command,
  type QueueName,
  type RequestSpec,
  type ScriptFault,
  type Stray
} from "../model/command.ts"
import { classOf } from "../model/request.ts"
import { barriers, fitting, matcher, requestSpec, respelling, script } from "./requests.ts"
import { weighted } from "./weighted.ts"

/** What has happened before a command: it may refer to it. */
export interface Past {
  readonly registrations: Array<PastRegistration>
  /** Each exchange, with its request if it is one for inference. */
  readonly exchanges: Array<RequestSpec | null>
  turns: number
  texts: number
}

/** For whom an expectation is, and where it waits. */
export interface PastRegistration {
  readonly matcher: RequestClass
  readonly barriers: ReadonlyArray<BarrierPlace>
}

/** A command to come; `null` when there is nothing that it could refer to. */
export type Draft = (past: Past) => Command | null

/** Commands that belong together, each drafted when those before it are known. */
export type Scene = ReadonlyArray<Draft>

const always =
  (command: Command): Draft =>
  () =>
    command

/** One of the things so far, the newest being 0. */
const recent = (pick: number, count: number): number => count - 1 - (pick % count)

const pick = weighted([5, 0], [3, 1], [1, 2], [1, 3], [1, 5], [1, 7])

const name = fc.constantFrom("x", "y", "z", "w", "v")

const registration = fc
  .record({ name, matcher, script, barriers })
  .map(({ name, matcher, script, barriers }) => ({ name, matcher, script, barriers: fitting(barriers, script) }))

const register: fc.Arbitrary<Draft> = registration.map((what): Draft => always({ type: "register", ...what }))

/** An expectation for requests like one that was sent. */
const registerAlike: fc.Arbitrary<Draft> = fc.record({ pick, registration }).map(
  ({ pick, registration }): Draft =>
    (past) => {
      const spec = requestIn(past, pick)
      return spec === undefined ? null : { type: "register", ...registration, matcher: classOf(spec) }
    }
)

const requestIn = (past: Past, pick: number): RequestSpec | undefined => {
  const known = past.exchanges.filter((spec) => spec !== null)
  return known.length === 0 ? undefined : known[recent(pick, known.length)]
}

const misregister: fc.Arbitrary<Draft> = fc
  .record({
    name,
    matcher,
    fault: fc.constantFrom<ScriptFault>("status", "headerName", "headerValue", "eventName", "eventData"),
    place: fc.constantFrom<"expectation" | "queue">("expectation", "queue")
  })
  .map((what): Draft => always({ type: "misregister", ...what }))

const misplaced: fc.Arbitrary<Draft> = fc
  .record({ name, matcher, fault: fc.constantFrom<ScriptFault>("position", "twice") })
  .map((what): Draft => always({ type: "misregister", place: "expectation", ...what }))

const request: fc.Arbitrary<Draft> = requestSpec.map((spec): Draft => always({ type: "request", request: spec }))

/** Makes a request one that an expectation is for. */
const matching = (spec: RequestSpec, { endpoint, kind }: RequestClass, hasIdentity: boolean): RequestSpec => {
  if (kind === "foreground") return { ...spec, endpoint, headers: hasIdentity ? "both" : "turn" }
  return { ...spec, endpoint, headers: hasIdentity ? "id" : "none", tools: Math.min(spec.tools, 1) }
}

/** A request that an expectation is for, with an identity. */
const requestFor: fc.Arbitrary<Draft> = fc.record({ pick, spec: requestSpec }).map(
  ({ pick, spec }): Draft =>
    (past) => {
      const { length } = past.registrations
      const wanted = length === 0 ? undefined : past.registrations[recent(pick, length)]?.matcher
      return wanted === undefined ? null : { type: "request", request: matching(spec, wanted, true) }
    }
)

/** The same request once more, however it is spelled. */
const again: fc.Arbitrary<Draft> = fc.record({ pick, respelling }).map(
  ({ pick, respelling }): Draft =>
    (past) => {
      const spec = requestIn(past, pick)
      return spec === undefined ? null : { type: "request", request: { ...spec, ...respelling } }
    }
)

const stray: fc.Arbitrary<Draft> = fc
  .record({ stray: fc.constantFrom<Stray>("path", "method", "type", "body"), request: requestSpec })
  .map((what): Draft => always({ type: "stray", ...what }))

const resource: fc.Arbitrary<Draft> = fc
  .constantFrom<"settings" | "models" | "user">("settings", "models", "user")
  .map((resource): Draft => always({ type: "resource", resource }))

const ofExchange = (type: "disconnect" | "read"): fc.Arbitrary<Draft> =>
  pick.map(
    (pick): Draft =>
      (past) => {
        const { length } = past.exchanges
        return length === 0 ? null : { type, exchange: recent(pick, length) }
      }
  )

const release: fc.Arbitrary<Draft> = fc.record({ pick, place: weighted([3, null], [1, 0], [1, 1], [1, 2]) }).map(
  ({ pick, place }): Draft =>
    (past) => {
      const { length } = past.registrations
      if (length === 0) return null
      const expectation = recent(pick, length)
      return { type: "release", expectation, barrier: place === null ? null : barrierOf(past, expectation, place) }
    }
)

/** The name of one of the barriers of an expectation, `null` for all when it has none. */
const barrierOf = (past: Past, expectation: number, pick: number): string | null => {
  const places = past.registrations[expectation]?.barriers ?? []
  const place = places[pick % Math.max(1, places.length)]
  return place === undefined ? null : barrierName(place)
}

const ofExpectation = (type: "dispose" | "retire"): fc.Arbitrary<Draft> =>
  pick.map(
    (pick): Draft =>
      (past) => {
        const { length } = past.registrations
        return length === 0 ? null : { type, expectation: recent(pick, length) }
      }
  )

const queue: fc.Arbitrary<QueueName> = weighted(
  [5, "ChatCompletions"],
  [1, "Responses"],
  [1, "Messages"],
  [1, "Settings"]
)

const enqueue: fc.Arbitrary<Draft> = fc
  .record({ queue, script })
  .map((what): Draft => always({ type: "enqueue", ...what }))

const turns: fc.Arbitrary<Draft> = fc.integer({ min: 0, max: 3 }).map(
  (count): Draft =>
    (past) => {
      const list = ++past.turns
      return { type: "turns", texts: Array.from({ length: count }, (_, index) => `turn ${list}.${index + 1}  done`) }
    }
)

const respond: fc.Arbitrary<Draft> = fc.boolean().map(
  (isFixed): Draft =>
    (past) => {
      const text = `text ${++past.texts}\n  of two lines`
      return { type: "respond", text: isFixed ? text : null }
    }
)

const delay: fc.Arbitrary<Draft> = fc
  .constantFrom(10, null, 5, 0, 100, 15_000)
  .map((ms): Draft => always({ type: "delay", ms }))

const gate: fc.Arbitrary<Draft> = fc
  .constantFrom<"hold" | "open">("hold", "open")
  .map((type): Draft => always({ type }))

const setting: fc.Arbitrary<Draft> = fc.oneof(
  fc.constant<Draft>(always({ type: "clearQueues" })),
  fc.constantFrom("tool_use", "max_tokens").map((reason): Draft => always({ type: "stopReason", reason })),
  fc.boolean().map((on): Draft => always({ type: "keep", on })),
  fc.boolean().map((on): Draft => always({ type: "requireKey", on }))
)

const single: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 7, arbitrary: register },
  { weight: 4, arbitrary: registerAlike },
  { weight: 4, arbitrary: request },
  { weight: 8, arbitrary: requestFor },
  { weight: 10, arbitrary: again },
  { weight: 5, arbitrary: release },
  { weight: 5, arbitrary: ofExchange("disconnect") },
  { weight: 2, arbitrary: ofExchange("read") },
  { weight: 2, arbitrary: ofExpectation("dispose") },
  { weight: 1, arbitrary: ofExpectation("retire") },
  { weight: 6, arbitrary: enqueue },
  { weight: 3, arbitrary: turns },
  { weight: 3, arbitrary: delay },
  { weight: 4, arbitrary: gate },
  { weight: 2, arbitrary: setting },
  { weight: 1, arbitrary: respond },
  { weight: 1, arbitrary: resource },
  { weight: 1, arbitrary: stray },
  { weight: 1, arbitrary: misregister },
  { weight: 1, arbitrary: misplaced }
)

/** What happens to a call while it is live; the request that claims it is given. */
const beat: fc.Arbitrary<(request: RequestSpec) => Draft> = fc.oneof(
  {
    weight: 6,
    arbitrary: respelling.map(
      (respelling) => (request: RequestSpec) => always({ type: "request", request: { ...request, ...respelling } })
    )
  },
  {
    weight: 3,
    arbitrary: fc.nat(2).map(
      (pick) =>
        () =>
        ({ exchanges: { length } }: Past): Command | null =>
          length === 0 ? null : { type: "disconnect", exchange: recent(pick, length) }
    )
  },
  {
    weight: 1,
    arbitrary: fc.nat(1).map((pick) => () => (past: Past): Command | null => {
      const expectation = past.registrations.length - 1
      return expectation < 0 ? null : { type: "release", expectation, barrier: barrierOf(past, expectation, pick) }
    })
  }
)

/** Nearly always true; shrinks to false. */
const kept = fc.noBias(fc.nat(60)).map((n) => n > 0)

/** A call that stays live for a while: claimed, held up, joined, and left by some of its clients. */
const liveCall: fc.Arbitrary<Scene> = fc
  .record({
    what: fc.record({ name, matcher, script }),
    barriers: fc.constantFrom<ReadonlyArray<BarrierPlace>>(["terminal"], [], ["head"], ["head", "terminal"]),
    isRegistered: kept,
    isPaced: fc.boolean(),
    spec: requestSpec,
    hasIdentity: weighted([5, true], [1, false]),
    isAsked: kept,
    beats: fc.array(beat, { maxLength: 6, size: "max" })
  })
  .map(({ what, barriers, isRegistered, isPaced, spec, hasIdentity, isAsked, beats }): Scene => {
    const request = matching(spec, what.matcher, hasIdentity)
    return [
      ...(isPaced && barriers.length === 0 ? [always({ type: "delay", ms: 10 })] : []),
      ...(isRegistered ? [always({ type: "register", ...what, barriers })] : []),
      ...(isAsked ? [always({ type: "request", request })] : []),
      ...beats.map((beat) => beat(request))
    ]
  })

/** A turn that nothing is scripted for, at a gate that opens and closes around it. */
const gatedTurn: fc.Arbitrary<Scene> = fc
  .record({
    spec: requestSpec,
    isHeld: kept,
    changes: fc.array(weighted<"open" | "hold" | "request">([3, "open"], [3, "hold"], [1, "request"]), {
      maxLength: 4,
      size: "max"
    })
  })
  .map(({ spec, isHeld, changes }): Scene => {
    const request = always({ type: "request", request: { ...spec, headers: "turn" } })
    return [
      ...(isHeld ? [always({ type: "hold" })] : []),
      request,
      ...changes.map((change) => (change === "request" ? request : always({ type: change })))
    ]
  })

/** A registration that must fail. */
export const mistake: fc.Arbitrary<Scene> = fc.oneof(misregister, misplaced).map((draft): Scene => [draft])

/** Where the weights stand: requests, and what they meet, are most of a history. */
export const scene: fc.Arbitrary<Scene> = fc.oneof(
  { weight: 12, arbitrary: single.map((draft): Scene => [draft]) },
  { weight: 3, arbitrary: liveCall },
  { weight: 1, arbitrary: gatedTurn }
)
