import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type ProxyConnectionEvent, proxyConnectionMachine } from "../../machines/proxy-connection.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<ProxyConnectionEvent> = [
  { type: "connected" },
  { type: "connect.failed", reason: "refused" },
  { type: "pump.ended" },
  { type: "cut", reason: "it was told to be" },
  { type: "reset", reason: "a rule has reset it" },
  { type: "vanished" },
  { type: "socket.closed", problem: null },
  { type: "socket.closed", problem: "ECONNRESET" },
  { type: "sockets.gone" }
]

const connectBound = "xstate.after.connectBound.proxy-connection.connecting"

/** No event of ours, so it is not in the type of the chart. */
const isOurs = (event: { readonly type: string }): event is ProxyConnectionEvent => event.type !== ""

const paths = (without: ReadonlyArray<string> = []) =>
  getShortestPaths(proxyConnectionMachine, {
    events: [...ours, { type: connectBound }].filter(isOurs).filter(({ type }) => !without.includes(type)),
    stopWhen: ({ context }) => context.pumpsEnded > 2
  })

const reached = (without: ReadonlyArray<string> = []) =>
  new Set(paths(without).map(({ state }) => JSON.stringify(state.value)))

describe("the chart of a connection through a proxy", () => {
  it("reaches each of its states, and no other", () => {
    expect([...reached()].sort()).toEqual([...standingStates(proxyConnectionMachine)].sort())
  })

  it("pipes only what was connected, and is closed only when both sockets are gone", () => {
    expect(reached(["connected"])).not.toContain('"piping"')
    expect(reached(["sockets.gone"])).not.toContain('"closed"')
  })

  it("is cut by request, by a rule or by a peer alone; an upstream that is not there closes it", () => {
    const cuts = ["cut", "reset", "socket.closed"]

    expect(reached(cuts)).toEqual(new Set(['"connecting"', '"piping"', '"closing"', '"closed"']))
    for (const cut of cuts) expect(reached(cuts.filter((other) => other !== cut))).toContain('"cutting"')
    expect(reached(["connected", "cut", "reset"])).not.toContain('"cutting"')
  })

  it("pipes until the second of its pumps has ended", () => {
    for (const { state, steps } of paths([...["cut", "reset", "socket.closed", "sockets.gone"]])) {
      const ended = steps.filter(({ event }) => event.type === "pump.ended").length
      if (state.value === "piping") expect(ended).toBeLessThan(2)
      if (state.context.pumpsEnded === 2) expect(state.value).toBe("closing")
    }
  })

  it("is not cut by a peer that leaves when it has vanished, wherever that was", () => {
    for (const { state } of paths()) {
      const isOpen = state.value === "connecting" || state.value === "piping"
      if (isOpen) expect(state.can({ type: "vanished" })).toBe(true)
    }
    const vanished = paths().filter(({ state }) => state.value === "piping" && state.context.hasVanished)
    expect(vanished.length).toBeGreaterThan(0)
    for (const { state } of vanished) {
      const [same] = getShortestPaths(proxyConnectionMachine, {
        fromState: state,
        events: [{ type: "socket.closed", problem: "ECONNRESET" }]
      }).map(({ state: after }) => after.value)
      expect(same).toBe("piping")
    }
  })
})
