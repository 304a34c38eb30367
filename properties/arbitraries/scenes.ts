import fc from "fast-check"
import type { BarrierPlace, Command, RequestSpec } from "../model/command.ts"
import { single } from "./commands.ts"
import { always, barrierOf, type Draft, matching, name, type Past, recent } from "./draft.ts"
import { matcher, requestSpec, respelling, script } from "./requests.ts"
import { weighted } from "./weighted.ts"

/** Commands that belong together, each drafted when those before it are known. */
export type Scene = ReadonlyArray<Draft>

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

/** Where the weights stand: requests, and what they meet, are most of a history. */
export const scene: fc.Arbitrary<Scene> = fc.oneof(
  { weight: 12, arbitrary: single.map((draft): Scene => [draft]) },
  { weight: 3, arbitrary: liveCall },
  { weight: 1, arbitrary: gatedTurn }
)
