import fc from "fast-check"
import { expect, test } from "vitest"
import { type AnyMachineSnapshot, transition } from "xstate"
import { getShortestPaths } from "xstate/graph"
import { type CopyEvent, copyMachine } from "../machines/copy.machine.ts"
import { settingsOf } from "../src/domain/check-fault-options.ts"
import { type FaultName, faultNames } from "../src/domain/fault-names.ts"
import type { Plan } from "../src/domain/plan.ts"
import { behaviorOf } from "../src/faults/catalogue/catalogue.ts"
import { faultPlan } from "../src/faults/catalogue/fault-plan.ts"
import { faultVoice } from "../src/faults/catalogue/voices/fault-voice.ts"
import { anyFaultOptions } from "./arbitraries/fault-histories.ts"
import { checkProperty } from "./check.ts"
import { patienceMs } from "./laws.ts"
import { shapes } from "./model/fault-shapes.ts"

/** Everything that a plan follows from but its behaviour. */
const planTerms = fc.record({
  options: anyFaultOptions,
  format: fc.constantFrom("chat", "responses", "messages"),
  kind: fc.constantFrom("stream", "reply"),
  wallMs: fc.nat(),
  terms: fc.record({
    model: fc.constantFrom("m", "né"),
    laneAttempt: fc.integer({ min: 1, max: 12 }),
    chunkShape: fc.constantFrom("minimal", "complete"),
    usagePlacement: fc.constantFrom("attached", "trailing", "both", "none", "auto"),
    includeUsage: fc.boolean()
  })
})

type PlanTerms = typeof planTerms extends fc.Arbitrary<infer Terms> ? Terms : never

const planOf = (name: FaultName, { options, format, kind, wallMs, terms }: PlanTerms): Plan => {
  const answer = behaviorOf(name)[kind]({ voice: faultVoice(format, terms), settings: settingsOf(options), wallMs })
  return faultPlan(answer, { barriers: [], owner: "call", headers: [["date", "today"]] })
}

/** More steps than the longest answer of the generators has bytes. */
const stepsMax = 20_000

const endings = {
  end: "completed",
  fin: "reset",
  rst: "reset",
  halfClose: "reset",
  stall: "stalled",
  vanish: "stalled"
} as const

// Seen to fail when garbage is drawn anew, when `half_close` ends cleanly, when a short text makes `unknown_event`
// throw, and when comments go on for ten thousand hours.
test(
  "38. a plan is total, pure and finite, and ends in exactly one way: that of its behaviour",
  () =>
    checkProperty(
      "plans",
      fc.property(planTerms, (given) => {
        for (const name of faultNames) {
          const plan = planOf(name, given)
          const { steps, ending, crossesAt, keepAlive, isOpen } = plan
          const heads = steps.flatMap((step, at) => (step.kind === "head" ? [at] : []))
          const others = steps.slice(0, heads[0] ?? 0).filter(({ kind }) => kind !== "pause")

          expect(planOf(name, given), name).toEqual(plan)
          expect(steps.length, name).toBeLessThan(stepsMax)
          expect(endings[ending], name).toBe(shapes[name].ends)
          expect([heads.length, others.length], name).toEqual([shapes[name].isHeadless === true ? 0 : 1, 0])
          expect([keepAlive, isOpen], name).toEqual([false, undefined])
          expect(crossesAt >= 0 && crossesAt <= steps.length, name).toBe(true)
          for (const step of steps) {
            if (step.kind === "pause") expect(Number.isInteger(step.ms) && step.ms >= 0, name).toBe(true)
            if (step.kind === "write") expect(step.bytes.length > 0 && step.events >= 0, name).toBe(true)
          }
        }
      }),
      { runs: 40 }
    ),
  patienceMs
)

const pauseOver = { type: "xstate.after.pause.copy.sending.waiting.pausing" }
const goingOn = [
  ...[{ type: "socket.written" }, { type: "barrier.opened" }, { type: "keepAlive.due" }, { type: "heartbeat.due" }],
  pauseOver
]
const leaving = [{ type: "client.gone" }, { type: "server.killed" }]

const isCopyEvent = (event: { readonly type: string }): event is CopyEvent => event.type !== ""

const events = [...goingOn, ...leaving].filter(isCopyEvent)

const placeOf = ({ value, context }: AnyMachineSnapshot): string =>
  JSON.stringify([value, context["index"], context["settled"], context["open"]])

// Seen to fail when a stall does not hear that the server is closed, when a pause keeps a client from going, and when
// what vanishes ends.
test(
  "39. wherever an answer stands, it handles that its client leaves and that the server is closed, and comes to an end",
  () =>
    checkProperty(
      "ends of answers",
      fc.property(planTerms, fc.constantFrom(...faultNames.filter((name) => name !== "drip")), (given, name) => {
        const plan = planOf(name, given)
        const paths = getShortestPaths(copyMachine, { input: { plan }, events, serializeState: placeOf })

        expect(paths.some(({ state }) => state.status === "done")).toBe(true)
        for (const { state } of paths) {
          if (state.status === "done") continue
          for (const event of leaving.filter(isCopyEvent)) {
            expect(state.can(event), `${placeOf(state)} on ${event.type}`).toBe(true)
            expect(transition(copyMachine, state, event)[0].status, `${placeOf(state)} on ${event.type}`).toBe("done")
          }
        }
        expect(lastOf(plan)).toBe(endings[plan.ending] === "stalled" ? "stalled" : "ended")
      })
    ),
  patienceMs
)

/** Where an answer comes when nobody leaves. */
const lastOf = (plan: Plan): unknown => {
  const stays = goingOn.filter(isCopyEvent)
  const paths = getShortestPaths(copyMachine, { input: { plan }, events: stays, serializeState: placeOf })
  const leadsOn = (state: (typeof paths)[number]["state"], event: CopyEvent): boolean =>
    placeOf(transition(copyMachine, state, event)[0]) !== placeOf(state)
  const stuck = paths.filter(({ state }) => stays.every((event) => !leadsOn(state, event)))
  return stuck.map(({ state }) => state.value).join()
}
