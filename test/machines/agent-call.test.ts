import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type AgentCallEvent, agentCallMachine } from "../../machines/agent-call.machine.ts"
import { agentRequestMachine } from "../../machines/agent-request.machine.ts"
import { stdioWireMachine } from "../../machines/stdio-wire.machine.ts"
import { standingStates } from "./reached.ts"

const deadline = "xstate.after.deadline.agent-call.waiting.bounded"
const unsentBound = "xstate.after.unsentBound.agent-call.waiting.unsent"

const isOurs = (event: { readonly type: string }): event is AgentCallEvent => event.type !== ""

const reached = (deadlineMs: number | null) => {
  const answered: AgentCallEvent = { type: "answered", answer: { kind: "result" } }
  const bare = ["unsent", "closed", "cancelled", deadline, unsentBound].map((type) => ({ type }))
  const events = [answered, ...bare].filter(isOurs)
  const paths = getShortestPaths(agentCallMachine, { input: { deadlineMs }, events })
  return [...new Set(paths.map(({ state }) => JSON.stringify(state.value)))]
}

describe("the chart of a call", () => {
  it("reaches each of its states, and no other", () => {
    expect(new Set([...reached(1), ...reached(null)])).toEqual(standingStates(agentCallMachine))
  })

  it("has a deadline only where it was given one", () => {
    expect(reached(null)).not.toContain('{"waiting":"bounded"}')
    expect(reached(1)).not.toContain('{"waiting":"unbounded"}')
  })
})

describe("the chart of a request of the agent", () => {
  it("reaches each of its states, and no other", () => {
    const paths = getShortestPaths(agentRequestMachine, {
      events: [
        { type: "answer.given", result: 1 },
        { type: "refusal.given", error: { code: 1, message: "", data: undefined } },
        { type: "held" },
        { type: "cancel.asked" },
        { type: "wire.ended" }
      ]
    })

    expect(new Set(paths.map(({ state }) => JSON.stringify(state.value)))).toEqual(standingStates(agentRequestMachine))
  })
})

describe("the chart of a wire", () => {
  it("reaches each of its states, and no other", () => {
    const paths = getShortestPaths(stdioWireMachine, {
      events: [
        { type: "line", line: { bytes: new Uint8Array(), text: "", isUtf8: true } },
        { type: "overflow", length: 1 },
        { type: "stdout.ended" },
        { type: "read.failed", problem: "EIO" },
        { type: "send", outgoing: { text: "", failed: () => {} } },
        { type: "input.end" },
        { type: "write.failed" }
      ]
    })

    expect(new Set(paths.map(({ state }) => JSON.stringify(state.value)))).toEqual(standingStates(stdioWireMachine))
  })
})
