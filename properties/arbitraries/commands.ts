import fc from "fast-check"
import type { QueueName, ScriptFault, Stray } from "../model/command.ts"
import { classOf } from "../model/request.ts"
import { always, barrierOf, type Draft, matching, name, pick, recent, requestIn } from "./draft.ts"
import { barriers, fitting, matcher, requestSpec, respelling, script } from "./requests.ts"
import { weighted } from "./weighted.ts"

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

const misregister: fc.Arbitrary<Draft> = fc
  .record({
    name,
    matcher,
    fault: fc.constantFrom<ScriptFault>("status", "headerName", "headerValue", "eventName", "eventData"),
    place: fc.constantFrom<"expectation" | "queue">("expectation", "queue")
  })
  .map((what): Draft => always({ type: "misregister", ...what }))

const misplaced: fc.Arbitrary<Draft> = fc
  .record({ name, matcher, fault: fc.constantFrom<ScriptFault>("position", "noBody", "twice") })
  .map((what): Draft => always({ type: "misregister", place: "expectation", ...what }))

const request: fc.Arbitrary<Draft> = requestSpec.map((spec): Draft => always({ type: "request", request: spec }))

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
  fc.boolean().map((on): Draft => always({ type: "requireKey", on })),
  fc.boolean().map((on): Draft => always({ type: "hang", on }))
)

/** One command; where the weights stand: requests, and what they meet, are most of a history. */
export const single: fc.Arbitrary<Draft> = fc.oneof(
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

/** A registration that must fail. */
export const mistake: fc.Arbitrary<Draft> = fc.oneof(misregister, misplaced)
