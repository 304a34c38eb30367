import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type ProxyListenerEvent, proxyListenerMachine } from "../../machines/proxy-listener.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<ProxyListenerEvent> = [
  { type: "bound" },
  { type: "bind.failed" },
  { type: "accepted" },
  { type: "lost", reason: "too many open files" },
  { type: "stop" },
  { type: "unbound" },
  { type: "connections.gone" }
]

const paths = (without: ReadonlyArray<string> = []) =>
  getShortestPaths(proxyListenerMachine, { events: ours.filter(({ type }) => !without.includes(type)) })

const reached = (without: ReadonlyArray<string> = []) =>
  new Set(paths(without).map(({ state }) => JSON.stringify(state.value)))

describe("the chart of the listener of a proxy", () => {
  it("reaches each of its states, and no other", () => {
    expect([...reached()].sort()).toEqual([...standingStates(proxyListenerMachine)].sort())
  })

  it("is stopped only by request, when it listens no more and all its connections are gone", () => {
    for (const without of ["stop", "unbound", "connections.gone"]) expect(reached([without])).not.toContain('"stopped"')
    for (const { state } of paths()) {
      const isClosing = state.value === "stopping"
      const canEnd = isClosing || state.value === "stopped"
      if (!canEnd) expect([state.context.isUnbound, state.context.areGone]).toEqual([false, false])
      if (isClosing) expect(state.context.isUnbound && state.context.areGone).toBe(false)
    }
  })

  it("fails before it listens alone; what is taken from it later ends no connection", () => {
    expect(reached(["bind.failed"])).not.toContain('"failed"')
    expect(reached(["bound"])).toEqual(new Set(['"binding"', '"failed"', '"stopping"', '"stopped"']))
    const lost = paths().find(({ state }) => state.value === "lost")
    expect(lost?.state.status).toBe("active")
    expect(lost?.state.can({ type: "stop" })).toBe(true)
  })

  it("can be stopped wherever it has no end yet", () => {
    for (const { state } of paths())
      if (state.status === "active" && state.value !== "stopping") expect(state.can({ type: "stop" })).toBe(true)
  })
})
