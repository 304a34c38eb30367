import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type HeadlessRunEvent, headlessRunMachine } from "../../machines/headless-run.machine.ts"
import { standingStates } from "./reached.ts"

const exited = (signal: string | null): HeadlessRunEvent => ({
  type: "exited",
  status: { code: signal === null ? 0 : null, signal }
})

const ours: ReadonlyArray<HeadlessRunEvent> = [
  { type: "spawned" },
  { type: "spawn.failed" },
  exited(null),
  exited("SIGKILL"),
  { type: "stream.ended" },
  { type: "kill.failed" },
  { type: "process.left" }
]

/** No event of ours, so it is not in the type of the chart. */
const isOurs = (event: { readonly type: string }): event is HeadlessRunEvent => event.type !== ""

const paths = (without: ReadonlyArray<string> = []) =>
  getShortestPaths(headlessRunMachine, {
    input: { capMs: 500 },
    events: [...ours, { type: "xstate.after.cap.headless-run.running" }]
      .filter(isOurs)
      .filter(({ type }) => !without.includes(type)),
    stopWhen: ({ context }) => context.streamsEnded > 2
  })

const reached = (without: ReadonlyArray<string> = []) =>
  new Set(paths(without).map(({ state }) => JSON.stringify(state.value)))

describe("the chart of a headless run", () => {
  it("reaches each of its states, and no other", () => {
    expect([...reached()].sort()).toEqual([...standingStates(headlessRunMachine)].sort())
  })

  it("is done only when its end was seen, both streams have ended and nothing is left", () => {
    for (const type of ["exited", "stream.ended", "process.left"]) expect(reached([type]).has('"done"')).toBe(false)
  })

  it("has timed out only when the cap was over before its end and a signal of ours ended it", () => {
    for (const { state, steps } of paths()) {
      if (!state.context.timedOut) continue
      const types = steps.map(({ event }) => event.type)
      const cap = types.findIndex((type) => type.startsWith("xstate.after"))
      expect(cap).toBeGreaterThanOrEqual(0)
      expect(types.indexOf("exited")).toBeGreaterThan(cap)
      expect(state.context.status).toEqual({ code: null, signal: "SIGKILL" })
    }
  })
})
