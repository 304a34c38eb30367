import { describe, expect, it } from "vitest"
import type { AgentSession } from "../../../src/harness/session/agent-session.ts"
import { caught } from "./echo-agent.ts"
import { type SimAnswer, startSimSession } from "./sim-session.ts"

const answering: SimAnswer = (message, side) => {
  if (Object.hasOwn(message, "id")) side.result(message, { sessionId: "s1", stopReason: "end_turn" })
}

/** What the agent reads when a session is asked for this. */
const saidBy = async (acp: object, ask: (session: AgentSession) => unknown): Promise<unknown> => {
  const { session, until, pass, heard } = startSimSession(answering, { acp: { ...acp }, timing: false })
  await until(Promise.resolve(ask(session)))
  // A notification leaves by itself.
  await pass(0)
  expect(heard).toHaveLength(1)
  const { method, params } = JSON.parse(heard[0] ?? "")
  return { method, params }
}

/* Source: agent-harness.md, section 2.4 */
describe("a session says", () => {
  const s1 = { sessionId: "s1" }
  const blocks = [
    { type: "text", text: "a" },
    { type: "resource_link", name: "b", uri: "file:///b" }
  ]
  it.each<[string, unknown, (session: AgentSession) => unknown]>([
    ["session/new", { cwd: "/w", mcpServers: [] }, (session) => session.createSession("/w")],
    [
      "session/new",
      { cwd: "/w", mcpServers: [], _meta: { modelId: "m" } },
      (session) => session.createSessionWithModel("/w", "m")
    ],
    ["session/load", { ...s1, cwd: "/w", mcpServers: [] }, (session) => session.loadSession("s1", "/w")],
    ["session/resume", { ...s1, cwd: "/w", mcpServers: [] }, (session) => session.resumeSession("s1", "/w")],
    ["session/list", {}, (session) => session.listSessions()],
    ["session/list", { cursor: "c" }, (session) => session.listSessions({ cursor: "c" })],
    ["session/close", s1, (session) => session.closeSession("s1")],
    ["session/delete", s1, (session) => session.deleteSession("s1")],
    ["session/set_model", { ...s1, modelId: "m" }, (session) => session.setModel("s1", "m")],
    ["session/set_mode", { ...s1, modeId: "ask" }, (session) => session.setMode("s1", "ask")],
    [
      "session/set_config_option",
      { ...s1, configId: "c", value: true },
      (session) => session.setConfigOption("s1", { configId: "c", value: true })
    ],
    ["session/prompt", { ...s1, prompt: [{ type: "text", text: "a" }] }, (session) => session.prompt("s1", "a")],
    ["session/prompt", { ...s1, prompt: blocks }, (session) => session.promptBlocks("s1", blocks)],
    ["session/cancel", s1, (session) => session.cancel("s1")],
    ["_x.ai/a", [1], (session) => session.extMethod("x.ai/a", [1])],
    ["any/thing", { a: 1 }, (session) => session.request("any/thing", { a: 1 })],
    ["any/word", { b: 2 }, (session) => session.notify("any/word", { b: 2 })]
  ])("%s with exactly %j", async (method, params, ask) => {
    expect(await saidBy({}, ask)).toEqual({ method, params })
  })
})

/* Source: agent-harness.md, section 1.1 */
describe("a model is chosen as the profile says:", () => {
  it.each([
    [{ method: "x/set_model" }, { method: "x/set_model", params: { sessionId: "s1", modelId: "m" } }],
    [
      { configOption: "model" },
      { method: "session/set_config_option", params: { sessionId: "s1", configId: "model", value: "m" } }
    ]
  ])("by a call, for %j", async (modelSelection, said) => {
    expect(await saidBy({ modelSelection }, (session) => session.setModel("s1", "m"))).toEqual(said)
  })

  it("when a session is made", async () => {
    const said = await saidBy({ modelSelection: { newSessionMeta: "llm" } }, (session) =>
      session.createSessionWithModel("/w", "m")
    )

    expect(said).toMatchObject({ method: "session/new", params: { _meta: { llm: "m" } } })
  })

  it("not in a session, where it is a variable that the agent starts with", async () => {
    const { session, until, heard } = startSimSession(answering, { acp: { modelSelection: { env: "MODEL" } } })
    const message = "the agent takes its model from the variable MODEL when it starts; start it with the option model"
    const refused = { _tag: "UnsupportedControl", message }

    expect(await until(caught(session.setModel("s1", "m")))).toMatchObject(refused)
    expect(await until(caught(session.createSessionWithModel("/w", "m")))).toMatchObject(refused)
    expect(heard).toEqual([])
  })
})
