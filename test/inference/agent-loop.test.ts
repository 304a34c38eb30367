import { expect, it } from "vitest"
import { member } from "../../src/domain/json.ts"
import { startVirtualServer } from "../../src/sim.ts"

const listOf = (body: unknown, name: string): ReadonlyArray<unknown> => {
  const list = member(body, name)
  return Array.isArray(list) ? list : []
}

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

const toolResult = { type: "tool_result", tool_use_id: "c", content: "42" }

it("a message that has a tool result and a new question is answered with that question", () => {
  const content = [toolResult, { type: "text", text: "and the tide?" }]
  const body = {
    messages: [
      { role: "user", content: "look" },
      { role: "user", content }
    ]
  }

  expect(answerOf("/v1/messages", body, "full")).toContain("Echo: and the tide?")
})

it.each(["system", "developer"])("a %s note behind the results is no question", (role) => {
  const note = { role, content: "Be brief." }
  const chat = bodies["/v1/chat/completions"]
  const responses = bodies["/v1/responses"]
  const messages = [...listOf(chat, "messages"), note, note]
  const input = [...listOf(responses, "input"), note]

  expect(answerOf("/v1/chat/completions", { messages }, "full")).toContain('"done"')
  expect(answerOf("/v1/responses", { input }, "full")).toContain('"done"')
})

it("a question of the user behind the results is one", () => {
  const question = { role: "user", content: "and the tide?" }
  const messages = [...listOf(bodies["/v1/chat/completions"], "messages"), question]

  expect(answerOf("/v1/chat/completions", { messages }, "full")).toContain("Echo: and the tide?")
})
