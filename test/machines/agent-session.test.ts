import { describe, expect, it } from "vitest"
import { getShortestPaths } from "xstate/graph"
import { type AgentSessionEvent, agentSessionMachine } from "../../machines/agent-session.machine.ts"
import { standingStates } from "./reached.ts"

const ours: ReadonlyArray<AgentSessionEvent> = [
  { type: "initialize" },
  { type: "handshake.accepted", needsAuth: true },
  { type: "handshake.accepted", needsAuth: false },
  { type: "handshake.failed" },
  { type: "wire.ended" },
  { type: "failed" },
  { type: "close", mode: "eof" },
  { type: "close", mode: "terminate" },
  { type: "close", mode: "kill" },
  { type: "process.exited" },
  { type: "process.over" },
  { type: "released" }
]

const delays = [
  "xstate.after.exitBound.agent-session.closing.dying",
  "xstate.after.leaveBound.agent-session.closing.leaving"
]

const isOurs = (event: { readonly type: string }): event is AgentSessionEvent => event.type !== ""

const reached = (without: ReadonlyArray<string> = []) => {
  const events = [...ours, ...delays.map((type) => ({ type }))].filter(isOurs)
  const paths = getShortestPaths(agentSessionMachine, {
    input: { leaveMs: 30_000 },
    events: events.filter(({ type }) => !without.includes(type))
  })
  return new Set(paths.map(({ state }) => JSON.stringify(state.value)))
}

describe("the chart of a session", () => {
  it("reaches each of its states, and no other", () => {
    expect(reached()).toEqual(standingStates(agentSessionMachine))
  })

  it("is ready only after a handshake, and closed only when its process is over and all is given back", () => {
    expect(reached(["handshake.accepted"])).not.toContain('{"open":"ready"}')
    expect(reached(["process.over"])).not.toContain('{"closing":"releasing"}')
    expect(reached(["released"])).not.toContain('"closed"')
  })

  it("stays open until somebody closes it, its wire ends, or it fails", () => {
    const states = [...reached(["close", "wire.ended", "failed"])]

    expect(states.every((state) => state.includes("open"))).toBe(true)
    expect(states).toHaveLength(4)
  })
})
