import { expect, test } from "vitest"
import { makeClientMemory } from "../../../src/harness/fake-leader/client-memory.ts"
import { errorLine, requestLine, resultLine } from "../../../src/wire/acp/write-line.ts"

/** What is said again, without its ids. */
const replayed = (memory: ReturnType<typeof makeClientMemory>) =>
  memory.replays().map(({ line, sessionId }) => {
    const { method, params } = JSON.parse(line)
    return { method, params, sessionId }
  })

const load = (sessionId: string, more: object = {}) => ({
  method: "session/load",
  params: { ...more, sessionId },
  sessionId
})

test("says initialize again, and then session/load of what is open, in the order in which it was opened", () => {
  const memory = makeClientMemory()
  memory.sent(requestLine(1, "initialize", { protocolVersion: 1 }))
  memory.sent(requestLine(2, "session/new", { cwd: "/w", mcpServers: [] }))
  memory.sent(requestLine(3, "session/load", { sessionId: "old", cwd: "/o" }))
  memory.sent(requestLine(4, "session/load", { sessionId: "none" }))
  memory.received(resultLine("3", {}))
  memory.received(resultLine("2", { sessionId: "new" }))
  memory.received(errorLine("4", { code: -32002, message: "no", data: undefined }))

  expect(replayed(memory)).toEqual([
    { method: "initialize", params: { protocolVersion: 1 }, sessionId: null },
    load("old", { cwd: "/o" }),
    load("new", { cwd: "/w", mcpServers: [] })
  ])
})

test("leaves out what was closed or deleted", () => {
  const memory = makeClientMemory()
  for (const [id, sessionId] of ["a", "b", "c"].entries()) {
    memory.sent(requestLine(id, "session/resume", { sessionId }))
    memory.received(resultLine(String(id), {}))
  }
  memory.sent(requestLine("x", "session/close", { sessionId: "a" }))
  memory.sent(requestLine("y", "session/delete", { sessionId: "c" }))
  memory.received(resultLine('"x"', {}))
  memory.received(resultLine('"y"', {}))

  expect(replayed(memory)).toEqual([load("b")])
})

test("takes no answer for one to what a leader was asked that is gone", () => {
  const memory = makeClientMemory()
  memory.sent(requestLine(1, "session/load", { sessionId: "a" }))
  memory.received(resultLine("1", {}))
  memory.sent(requestLine(2, "session/close", { sessionId: "a" }))
  memory.lost()
  memory.sent(requestLine(2, "session/prompt", { sessionId: "a" }))
  memory.received(resultLine("2", {}))

  expect(replayed(memory)).toEqual([load("a")])
})

test("gives everything that is said again an id of its own", () => {
  const memory = makeClientMemory()
  memory.sent('{"id":7,"jsonrpc":"2.0","method":"initialize"}')
  const ids = [...memory.replays(), ...memory.replays()].map(({ line }) => JSON.parse(line).id)

  expect(ids).toEqual(["leader-replay-1", "leader-replay-2"])
})
