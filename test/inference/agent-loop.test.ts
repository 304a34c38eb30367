import { expect, it } from "vitest"
import { startVirtualServer } from "../../src/sim.ts"

const bodies: Readonly<Record<string, unknown>> = {
  "/v1/chat/completions": {
    messages: [
      { role: "user", content: "look" },
      { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "f" } }] },
      { role: "tool", tool_call_id: "c", content: "42" }
    ]
  },
  "/v1/responses": {
    input: [
      { role: "user", content: "look" },
      { type: "function_call_output", call_id: "c", output: "42" }
    ]
  },
  "/v1/messages": {
    messages: [
      { role: "user", content: "look" },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "42" }] }
    ]
  }
}

const answerOf = (path: string, body: unknown, profile: "full" | "compact"): string => {
  const { http, clock } = startVirtualServer({ profile })
  const headers = [["content-type", "application/json"]] as const
  const answer = http.connect().request({ method: "POST", target: path, headers, body: JSON.stringify(body) })
  clock.settle()
  return answer.text()
}

it.each(Object.keys(bodies))("an agent on %s whose tools have run is told that it is done", (path) => {
  expect(answerOf(path, bodies[path], "full")).toContain('"done"')
  expect(answerOf(path, bodies[path], "full")).not.toContain("Echo")
})

it.each(Object.keys(bodies))("profile compact still echoes on %s, as its bytes are frozen", (path) => {
  expect(answerOf(path, bodies[path], "compact")).toContain("Echo:")
})
