import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type RawSenderEvent, rawSenderMachine } from "../../machines/raw-sender.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<RawSenderEvent> = [
  { type: "send" },
  { type: "chunk.left", isLast: true, gapMs: 20 },
  { type: "chunk.left", isLast: false, gapMs: 20 },
  { type: "write.failed" },
  { type: "abort" }
]

const isOurs = (event: { readonly type: string }): event is RawSenderEvent => event.type !== ""

const paths = () =>
  getShortestPaths(rawSenderMachine, {
    events: [...ours, { type: "xstate.after.gap.raw-sender.pausing" }].filter(isOurs),
    stopWhen: ({ context }) => context.waiting > 3
  })

describe("the chart of a raw sender", () => {
  it("reaches each of its states, and no other", () => {
    const reached = new Set(paths().map(({ state }) => JSON.stringify(state.value)))

    expect([...reached].sort()).toEqual([...standingStates(rawSenderMachine)].sort())
  })

  it("rests exactly when nothing is to be sent", () => {
    for (const { state } of paths()) {
      if (state.value === "idle") expect(state.context.waiting).toBe(0)
      if (state.value === "writing" || state.value === "pausing") expect(state.context.waiting).toBeGreaterThan(0)
    }
  })
})
