import { describe, expect, it } from "vitest"
import { transition } from "xstate"
import { getShortestPaths } from "xstate/graph"
import { type OwnedProcessEvent, ownedProcessMachine } from "../../machines/owned-process.machine.ts"
import { standingStates } from "./reached.ts"

const found = [{ pid: 43, startTime: "1", spawnId: 1 }]

const spawned = (isAdoptable: boolean, canTerminate: boolean): OwnedProcessEvent => ({
  type: "spawned",
  pid: 42,
  isAdoptable,
  canTerminate
})

const ours: ReadonlyArray<OwnedProcessEvent> = [
  { type: "check.ok" },
  { type: "check.failed" },
  spawned(true, true),
  spawned(true, false),
  spawned(false, true),
  { type: "spawn.failed" },
  { type: "terminate" },
  { type: "close" },
  { type: "kill" },
  { type: "disposed" },
  { type: "exited", status: { code: 7, signal: null } },
  { type: "streams.ended" },
  { type: "sweep.empty" },
  { type: "sweep.found", found }
]

/** What the supervisor delivers when a delay is over; no events of ours, so they are not in the type of the chart. */
const delays = [
  "xstate.after.grace.owned-process.owned.terminating.bounded",
  "xstate.after.killWait.owned-process.owned.killing",
  "xstate.after.reapBound.owned-process.discarding",
  "xstate.after.drainBound.owned-process.draining",
  "xstate.after.sweepPause.owned-process.sweeping.pausing"
]

const isOurs = (event: { readonly type: string }): event is OwnedProcessEvent => event.type !== ""

const input = { graceMs: 500, killWaitMs: 5_000, drainMs: 1_000, sweeps: true, allowsDetached: false }

const paths = (options: { readonly without?: ReadonlyArray<string> } = {}) =>
  getShortestPaths(ownedProcessMachine, {
    input,
    events: [...ours, ...delays.map((type) => ({ type }))]
      .filter(isOurs)
      .filter(({ type }) => !(options.without ?? []).includes(type))
  })

const dotted = (value: unknown): string => JSON.stringify(value).replaceAll(/[{}"]/g, "").replaceAll(":", ".")

const reached = (without: ReadonlyArray<string> = []) =>
  new Set(paths({ without }).map(({ state }) => dotted(state.value)))

describe("the chart of an owned process", () => {
  it("reaches each of its states, and no other", () => {
    const standing = [...standingStates(ownedProcessMachine)].map((state) => dotted(JSON.parse(state)))

    expect([...reached()].sort()).toEqual(standing.sort())
    expect(standing).toHaveLength(13)
  })

  it("is reaped only when its end was seen, and then has a status and a reason, and no number", () => {
    expect(reached(["exited"]).has("reaped")).toBe(false)
    for (const { state } of paths()) {
      if (state.value !== "reaped") continue
      const { status, reason, pid } = state.context
      expect([status, reason !== null, pid]).toEqual([{ code: 7, signal: null }, true, null])
    }
  })

  it("ended naturally only when nothing was asked of it", () => {
    for (const { state, steps } of paths()) {
      const asked = steps.some(({ event }) => /^(terminate|close|kill|disposed)$/.test(event.type))
      if (state.value === "reaped" && !asked) expect(state.context.reason).toBe("NaturalExit")
    }
    expect(reached(["terminate", "close", "kill", "disposed"]).has("owned.killing")).toBe(false)
  })

  it("kills its group in the step that sees its end, before anything else", () => {
    for (const { state } of paths()) {
      if (!dotted(state.value).startsWith("owned.")) continue
      const [, actions] = transition(ownedProcessMachine, state, { type: "exited", status: { code: 0, signal: null } })

      expect(actions.map(({ type }) => type).filter((type) => !type.startsWith("xstate."))[0]).toBe("killGroup")
      expect(actions.find(({ type }) => type === "killGroup")?.params).toEqual({ pid: 42 })
    }
  })

  it("can be brought to its end from every state by being dropped, by time and by its exit (S2)", () => {
    const later = ["disposed", "exited", "streams.ended", "sweep.empty", "check.ok", "spawn.failed", ...delays]
    for (const { state } of paths()) {
      let snapshot = state
      for (let round = 0; round < 6 && snapshot.status === "active"; round++) {
        for (const type of later) {
          const event = ours.find((one) => one.type === type) ?? { type }
          if (isOurs(event)) snapshot = transition(ownedProcessMachine, snapshot, event)[0]
        }
      }
      expect(`${dotted(state.value)} ${snapshot.status}`).toBe(`${dotted(state.value)} done`)
    }
  })
})
