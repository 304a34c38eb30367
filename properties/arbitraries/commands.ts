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
import { barriersFor, endpoint, matcher, requestSpec, respelling, script } from "./requests.ts"

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

const pick = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(7) })

const name = fc.constantFrom("x", "y", "z", "w", "v")

const register: fc.Arbitrary<Draft> = fc
  .record({ name, matcher, script })
  .chain((what) => barriersFor(what.script).map((barriers): Draft => always({ type: "register", ...what, barriers })))

/** An expectation for requests like one that was sent. */
const registerAlike: fc.Arbitrary<Draft> = fc.record({ name, pick, script }).chain(({ name, pick, script }) =>
  barriersFor(script).map(
    (barriers): Draft =>
      (past) => {
        const spec = requestIn(past, pick)
        return spec === undefined ? null : { type: "register", name, matcher: classOf(spec), script, barriers }
      }
  )
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

const release: fc.Arbitrary<Draft> = fc
  .record({ pick, barrier: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(4) }) })
  .map(
    ({ pick, barrier }): Draft =>
      (past) => {
        const { length } = past.registrations
        if (length === 0) return null
        const expectation = recent(pick, length)
        const places = past.registrations[expectation]?.barriers ?? []
        const place = barrier === null || places.length === 0 ? undefined : places[barrier % places.length]
        return { type: "release", expectation, barrier: place === undefined ? null : barrierName(place) }
      }
  )

const ofExpectation = (type: "dispose" | "retire"): fc.Arbitrary<Draft> =>
  pick.map(
    (pick): Draft =>
      (past) => {
        const { length } = past.registrations
        return length === 0 ? null : { type, expectation: recent(pick, length) }
      }
  )

const queue: fc.Arbitrary<QueueName> = fc.oneof(
  { weight: 6, arbitrary: endpoint },
  { weight: 1, arbitrary: fc.constant<"Settings">("Settings") }
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
  { weight: 4, arbitrary: enqueue },
  { weight: 2, arbitrary: turns },
  { weight: 3, arbitrary: delay },
  { weight: 4, arbitrary: gate },
  { weight: 2, arbitrary: setting },
  { weight: 1, arbitrary: respond },
  { weight: 1, arbitrary: resource },
  { weight: 1, arbitrary: stray },
  { weight: 1, arbitrary: misregister },
  { weight: 1, arbitrary: misplaced }
)

/** A call that stays live for a while: claimed, held up, joined, and left by some of its clients. */
const liveCall: fc.Arbitrary<Scene> = fc
  .record({
    what: fc.record({ name, matcher, script }),
    spec: requestSpec,
    hasIdentity: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    barriers: fc.constantFrom<ReadonlyArray<BarrierPlace>>(["terminal"], [], ["head"], ["head", "terminal"]),
    copies: fc.array(respelling, { maxLength: 3 }),
    leaving: fc.array(fc.nat(3), { maxLength: 2 }),
    opened: fc.constantFrom<ReadonlyArray<BarrierPlace>>([], ["head"], ["terminal"]),
    late: fc.array(respelling, { maxLength: 1 })
  })
  .map(({ what, spec, hasIdentity, barriers, copies, leaving, opened, late }): Scene => {
    const request = matching(spec, what.matcher, hasIdentity)
    const sent = [request, ...[...copies, ...late].map((respelling) => ({ ...request, ...respelling }))]
    const requests = sent.map((one) => always({ type: "request", request: one }))
    const early = 1 + copies.length
    return [
      ...(barriers.length === 0 ? [always({ type: "delay", ms: 10 })] : []),
      always({ type: "register", ...what, barriers }),
      ...requests.slice(0, early),
      ...leaving.map(
        (index): Draft =>
          ({ exchanges }) => ({ type: "disconnect", exchange: exchanges.length - early + (index % early) })
      ),
      ...opened.map(
        (place): Draft =>
          ({ registrations }) => {
            const expectation = registrations.length - 1
            return barriers.includes(place) ? { type: "release", expectation, barrier: barrierName(place) } : null
          }
      ),
      ...requests.slice(early)
    ]
  })

/** A registration that must fail. */
export const mistake: fc.Arbitrary<Scene> = fc.oneof(misregister, misplaced).map((draft): Scene => [draft])

/** Where the weights stand: requests, and what they meet, are most of a history. */
export const scene: fc.Arbitrary<Scene> = fc.oneof(
  { weight: 6, arbitrary: single.map((draft): Scene => [draft]) },
  { weight: 1, arbitrary: liveCall }
)
