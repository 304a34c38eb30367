import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type ProxyPumpEvent, proxyPumpMachine } from "../../machines/proxy-pump.machine.ts"
import { standingStates } from "./reached.ts"

const endings = [null, "stall", "halfClose", "vanish", "reset"] as const
const flows = ["open", "stopped", "silent"] as const

const ours: ReadonlyArray<ProxyPumpEvent> = [
  { type: "chunk" },
  { type: "full" },
  { type: "source.ended" },
  ...flows.map((flow): ProxyPumpEvent => ({ type: "flow.changed", flow })),
  ...[true, false].map((isWaiting): ProxyPumpEvent => ({ type: "took.nothing", isWaiting })),
  { type: "took.dropped" },
  { type: "took.run" },
  ...endings.flatMap((ending) =>
    [0, 300].flatMap((delayMs) =>
      [true, false].map((isHeld): ProxyPumpEvent => ({ type: "took.frame", isHeld, delayMs, ending }))
    )
  ),
  { type: "took.cut" },
  { type: "took.tail" },
  { type: "took.failure" },
  { type: "released" },
  { type: "piece.gone", isLast: true },
  { type: "piece.gone", isLast: false },
  { type: "piece.stuck" },
  { type: "piece.due", ms: 10 },
  { type: "write.failed" },
  { type: "sever" }
]

const timers: ReadonlyArray<string> = [
  "xstate.after.frameDelay.proxy-pump.pumping.delaying",
  "xstate.after.pieceDue.proxy-pump.pumping.pacing",
  "xstate.after.flushBound.proxy-pump.pumping.severing"
]

/** No event of ours, so it is not in the type of the chart. */
const isOurs = (event: { readonly type: string }): event is ProxyPumpEvent => event.type !== ""

const pathsOf = (isWanted: (event: ProxyPumpEvent) => boolean) =>
  getShortestPaths(proxyPumpMachine, {
    input: { flow: "open" },
    events: [...ours, ...timers.map((type) => ({ type }))].filter(isOurs).filter(isWanted)
  })

const all = pathsOf(() => true)

const reachedBy = (isWanted: (event: ProxyPumpEvent) => boolean) =>
  new Set(pathsOf(isWanted).map(({ state }) => JSON.stringify(state.value)))

const reachedWithout = (...types: ReadonlyArray<string>) => reachedBy(({ type }) => !types.includes(type))

const standing = (name: string): string => JSON.stringify({ pumping: name })

describe("the chart of one direction of a connection through a proxy", () => {
  it("reaches each of its states, and no other", () => {
    const reached = new Set(all.map(({ state }) => JSON.stringify(state.value)))

    expect([...reached].sort()).toEqual([...standingStates(proxyPumpMachine)].sort())
  })

  it("can be severed wherever it has no end", () => {
    for (const { state } of all) if (state.status === "active") expect(state.can({ type: "sever" })).toBe(true)
  })

  it("holds, delays, paces and severs only what was taken so", () => {
    const withoutFrames = reachedWithout("took.frame")
    for (const name of ["holding", "delaying", "closingHalf"]) expect(withoutFrames).not.toContain(standing(name))
    expect(reachedWithout("piece.due")).not.toContain(standing("pacing"))
    expect(reachedWithout("took.cut")).not.toContain(standing("severing"))
    for (const { state } of all)
      if (JSON.stringify(state.value) === standing("delaying")) expect(state.context.delayMs).toBeGreaterThan(0)
  })

  it("stands still exactly where its direction is stopped", () => {
    const still = [standing("stalled"), standing("stopped")]

    for (const { state } of all)
      if (still.includes(JSON.stringify(state.value))) expect(state.context.flow).toBe("stopped")
    // A frame can stop the direction behind it.
    const undisturbed = reachedWithout("flow.changed", "took.frame")
    for (const name of [...still, standing("silenced")]) expect(undisturbed).not.toContain(name)
    expect(reachedWithout("flow.changed")).toContain(standing("stalled"))
  })

  it("ends only behind the end of its source, and not while its reader waits for the other direction", () => {
    expect(reachedWithout("source.ended")).not.toContain('"ended"')
    const waiting = reachedBy((event) => event.type !== "took.nothing" || event.isWaiting)

    expect(waiting).toContain(standing("awaiting"))
    expect(waiting).not.toContain(standing("finishing"))
  })

  it("fails by what cannot be read or written, and by nothing else", () => {
    const kinds = ["took.failure", "write.failed"]

    expect(reachedWithout(...kinds)).not.toContain('"failed"')
    for (const kind of kinds) expect(reachedWithout(kind)).toContain('"failed"')
  })
})
