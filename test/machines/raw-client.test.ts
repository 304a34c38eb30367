import { describe, expect, it } from "vitest"
import { transition } from "xstate"
import { getShortestPaths } from "xstate/graph"
import { type RawClientEvent, rawClientMachine } from "../../machines/raw-client.machine.ts"
import { standingStates } from "./reached.ts"

const line = (verdict: "match" | "failed" | "skip", isResponse = false): RawClientEvent => ({
  type: "line",
  verdict,
  text: "{}",
  isResponse
})

const ours: ReadonlyArray<RawClientEvent> = [
  { type: "wait", wait: 1, ms: 200, isKept: false },
  { type: "wait", wait: 1, ms: 200, isKept: true },
  { type: "request", text: "{}" },
  line("match"),
  line("failed"),
  line("skip"),
  line("skip", true),
  { type: "lines.over" },
  { type: "process.drained" },
  { type: "close", mode: "eof" },
  { type: "close", mode: "terminate" },
  { type: "close", mode: "kill" },
  { type: "process.left" },
  { type: "process.stuck" },
  { type: "released" }
]

/** What the supervisor delivers when a delay is over; no events of ours, so they are not in the type of the chart. */
const delays = [
  "xstate.after.deadline.raw-client.open.waiting",
  "xstate.after.lastWordsBound.raw-client.open.waiting.ending",
  "xstate.after.eofBound.raw-client.closing.eof"
]

const isOurs = (event: { readonly type: string }): event is RawClientEvent => event.type !== ""

const events = [...ours, ...delays.map((type) => ({ type }))].filter(isOurs)

const paths = () =>
  getShortestPaths(rawClientMachine, {
    input: { keepsResponses: true, eofMs: 10 },
    events,
    stopWhen: ({ context }) => context.skipped > 1
  })

const named = (actions: ReadonlyArray<{ readonly type: string }>, type: string): number =>
  actions.filter((action) => action.type === type).length

describe("the chart of a raw client", () => {
  it("reaches each of its states, and no other", () => {
    const reached = new Set(paths().map(({ state }) => JSON.stringify(state.value)))

    expect([...reached].sort()).toEqual([...standingStates(rawClientMachine)].sort())
  })

  it("leaves a wait by settling it once, or by closing", () => {
    const isWaiting = (value: unknown): boolean => JSON.stringify(value).includes('"waiting"')
    for (const { state } of paths()) {
      if (!isWaiting(state.value)) continue
      for (const event of events) {
        const [next, actions] = transition(rawClientMachine, state, event)
        const ends = named(actions, "settle") + named(actions, "rejectClosed")
        expect([event.type, ends]).toEqual([event.type, isWaiting(next.value) ? 0 : 1])
      }
    }
  })

  it("reads a line only while somebody waits", () => {
    for (const { state } of paths()) {
      for (const event of events) {
        const [next, actions] = transition(rawClientMachine, state, event)
        if (named(actions, "readLine") > 0) expect(JSON.stringify(next.value)).toContain('"reading"')
      }
    }
  })

  it("closes from every state, with its process first and what it has besides last", () => {
    for (const { state } of paths()) {
      let snapshot = state
      const done: Array<string> = []
      for (const type of ["close", "process.drained", "process.left", "released"]) {
        const event = ours.find((one) => one.type === type)
        if (event === undefined || snapshot.status !== "active") continue
        const [next, actions] = transition(rawClientMachine, snapshot, event)
        snapshot = next
        done.push(
          ...actions.map((action) => action.type).filter((one) => /^(endProcess|release|tellClosed)$/.test(one))
        )
      }
      expect(snapshot.status).toBe("done")
      expect(["endProcess", "release", "tellClosed"].slice(3 - done.length)).toEqual(done)
    }
  })
})
