import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type ListenerEvent, listenerMachine } from "../../machines/listener.machine.ts"
import { standingStates } from "./reached.ts"

/** What the supervisor delivers when a delay is over; no events of ours, so they are not in the type of the chart. */
const delays = [
  "xstate.after.bindDeadline.listener.binding",
  "xstate.after.bindDeadline.listener.rebinding",
  "xstate.after.rebindPause.listener.rebinding.pausing",
  "xstate.after.drainBound.listener.draining"
]

const ours: ReadonlyArray<ListenerEvent> = [
  { type: "bind.requested" },
  { type: "bound" },
  { type: "bind.failed", reason: "taken" },
  { type: "refuse.requested" },
  { type: "accept.requested" },
  { type: "close.requested", drainMs: 5 },
  { type: "drained" }
]

const isListenerEvent = (event: { readonly type: string }): event is ListenerEvent => event.type !== ""

const paths = (without: ReadonlyArray<string> = []) =>
  getShortestPaths(listenerMachine, {
    events: [...ours, ...delays.map((type) => ({ type }))]
      .filter(isListenerEvent)
      .filter(({ type }) => !without.includes(type))
  })

/** States by name, nested ones as `rebinding.trying`. */
const nameOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name}.${nameOf(inner)}`)
    .join()
}

const reached = (without: ReadonlyArray<string> = []) => new Set(paths(without).map(({ state }) => nameOf(state.value)))

const rebinding = ["rebinding.trying", "rebinding.pausing"]

describe("the chart of a listener", () => {
  it("reaches each of its states, and no other", () => {
    const wanted = ["unbound", "binding", "listening", "refusing", "draining", "ending", "closed", "failed"]

    expect(reached()).toEqual(new Set([...wanted, ...rebinding]))
    expect([...standingStates(listenerMachine)].map((state) => nameOf(JSON.parse(state))).sort()).toEqual(
      [...wanted, ...rebinding].sort()
    )
  })

  it("fails by the answer of the system or by none", () => {
    const reasons = paths().flatMap(({ state }) => (state.value === "failed" ? [state.context.reason] : []))

    expect(new Set(reasons)).toEqual(
      new Set(["taken", "mock server not ready within 5s", "nothing answered within 5s"])
    )
  })

  it("is closed only by request, from every state that is not final, and only when all is drained", () => {
    expect(reached(["close.requested"])).toEqual(
      new Set(["unbound", "binding", "listening", "refusing", ...rebinding, "failed"])
    )
    expect(reached(["drained"]).has("closed")).toBe(false)
    // What is draining or ending is being closed already; only now can be sooner.
    for (const { state } of paths()) {
      const isOpen = state.status === "active" && state.value !== "ending" && state.value !== "draining"
      if (isOpen) expect(state.can({ type: "close.requested", drainMs: 1 })).toBe(true)
      if (state.value === "draining") expect(state.can({ type: "close.requested", drainMs: 0 })).toBe(true)
    }
  })

  it("may be closed, be drained and end without ever having been bound", () => {
    expect(reached(["bound", "bind.failed", ...delays])).toEqual(new Set(["unbound", "binding", "draining", "closed"]))
  })
})
