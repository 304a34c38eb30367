import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type CopyEvent, copyMachine } from "../../machines/copy.machine.ts"
import { composePlan } from "../../src/domain/compose-plan.ts"
import { endingPlan, heldPlan } from "../../src/domain/held-plan.ts"
import type { Ending, Plan } from "../../src/domain/plan.ts"
import { standingStates } from "./reached.ts"

/** What the supervisor delivers when a pause is over; no event of ours, so it is not in the type of the chart. */
const pauseOver: { readonly type: string } = { type: "xstate.after.pause.copy.sending.waiting.pausing" }

const alphabet: ReadonlyArray<{ readonly type: string }> = [
  { type: "turn.begun" },
  { type: "socket.written" },
  { type: "barrier.opened" },
  { type: "keepAlive.due" },
  { type: "heartbeat.due" },
  { type: "client.gone" },
  { type: "server.killed" },
  { type: "transport.failed" },
  pauseOver
] satisfies ReadonlyArray<CopyEvent | typeof pauseOver>

const planWith = (ending: Ending): Plan =>
  composePlan({
    status: 200,
    headers: [],
    body: { kind: "frames", frames: ["a", "b"] },
    ending,
    delayMs: 5,
    barriers: [{ name: "terminal", place: "terminal" }],
    owner: "call"
  })

const isCopyEvent = (event: { readonly type: string }): event is CopyEvent => event.type !== ""

const paths = (plan: Plan, without: ReadonlyArray<string> = [], isQueued = false) =>
  getShortestPaths(copyMachine, {
    input: { plan, isQueued },
    events: alphabet.filter(isCopyEvent).filter(({ type }) => !without.includes(type))
  })

const reached = (plan: Plan, without: ReadonlyArray<string> = [], isQueued = false) =>
  new Set(paths(plan, without, isQueued).map(({ state }) => JSON.stringify(state.value)))

const sending = ['{"sending":"writing"}', '{"sending":{"waiting":"pausing"}}', '{"sending":{"waiting":"barred"}}']
const starved = '{"sending":{"waiting":"starved"}}'
const queued = '{"sending":"queued"}'
const early = ['"gone"', '"failed"']

describe("the chart of a copy", () => {
  it("reaches each of its states in some plan, and no other", () => {
    const behind = reached(planWith("end"), [], true)
    const all = new Set([...behind, ...reached(planWith("stall")), ...reached(heldPlan())])

    expect(all).toEqual(standingStates(copyMachine))
    expect(all).toEqual(new Set([queued, ...sending, starved, ...early, '"ended"', '"stalled"', '"released"']))
  })

  it("behind others stays where it is until its turn has begun, and settles only as cancelled", () => {
    const waits = paths(planWith("end"), ["turn.begun"], true)

    expect(new Set(waits.map(({ state }) => JSON.stringify(state.value)))).toEqual(new Set([queued, ...early]))
    for (const { state } of waits) expect([state.context.index, state.context.settled]).toEqual([0, false])
    expect(reached(planWith("end"), [], true)).toEqual(new Set([queued, ...reached(planWith("end"))]))
  })

  it("stands at the end of an open plan, crosses nothing there, and goes on with what it is given", () => {
    expect(reached(heldPlan())).toEqual(new Set([starved, ...early]))
    expect(paths(heldPlan()).every(({ state }) => !state.context.settled || state.status === "done")).toBe(true)

    const extended = getShortestPaths(copyMachine, {
      input: { plan: heldPlan([{ kind: "write", bytes: "a", events: 1 }]) },
      events: [{ type: "socket.written" }, { type: "plan.extended", plan: endingPlan("rst") }],
      stopWhen: (state) => state.context.plan.steps.length > 3
    })
    expect(new Set(extended.map(({ state }) => JSON.stringify(state.value)))).toEqual(
      new Set(['{"sending":"writing"}', starved, '"ended"'])
    )
  })

  it.each(["end", "fin", "rst", "halfClose"] as const)("with ending %s ends, or is ended early", (ending) => {
    expect(reached(planWith(ending))).toEqual(new Set([...sending, ...early, '"ended"']))
  })

  it("stands at its barrier until that opens", () => {
    const held = reached(planWith("end"), ["barrier.opened"])

    expect(held).toEqual(new Set([...sending, ...early]))
  })

  it("settles before it takes the step that its plan marks, and not earlier", () => {
    for (const ending of ["end", "rst", "stall"] as const) {
      const plan = planWith(ending)
      for (const { state } of paths(plan, ["client.gone", "server.killed", "transport.failed"])) {
        const { index, settled } = state.context
        expect(settled).toBe(index >= plan.crossesAt)
      }
    }
  })

  it("ends however it stands when its client or the server goes", () => {
    for (const { state } of paths(planWith("stall"))) {
      if (state.status !== "active") continue
      for (const type of ["client.gone", "server.killed", "transport.failed"] as const) {
        expect(state.can({ type })).toBe(true)
      }
    }
  })

  it("of an empty plan ends at once", () => {
    expect(reached({ steps: [], ending: "fin", crossesAt: 0, keepAlive: false })).toEqual(new Set(['"ended"']))
  })
})
