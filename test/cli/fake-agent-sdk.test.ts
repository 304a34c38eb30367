import { Readable, Writable } from "node:stream"
import { client, methods, ndJsonStream, type SessionNotification } from "@agentclientprotocol/sdk"
import { expect, test } from "vitest"
import { fakeAgentProcesses } from "./fake-agent-running.ts"

/* A second opinion on the protocol: the client of the official SDK, which checks what comes in by its own schema. */

const { launch } = fakeAgentProcesses()

const connect = (words: ReadonlyArray<string>) => {
  const { child, ended } = launch(words)
  const updates: Array<SessionNotification["update"]> = []
  const asked: Array<string> = []
  const connection = client({ name: "second opinion" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(...params.options.map(({ kind }) => kind))
      return { outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" } }
    })
    .onRequest("fs/read_text_file", ({ params }) => ({ content: `text of ${params.path}` }))
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)))
  return { child, ended, connection, agent: connection.agent, updates, asked }
}

const hello = { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true, writeTextFile: false } } }

test("holds a session: initialize, authenticate, new, prompt, load, modes, list, close", async () => {
  const { agent, updates, asked, child, ended } = connect([
    "--ask-permission=reject_once,allow_once",
    "--ask-fs=/etc/hosts",
    "--chunks=4"
  ])
  const initialized = await agent.request(methods.agent.initialize, hello)
  await agent.request("authenticate", { methodId: "fixture.api_key" })
  const { sessionId, modes } = await agent.request("session/new", { cwd: "/", mcpServers: [] })
  const turn = await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "say hello" }] })
  await agent.request("session/set_mode", { sessionId, modeId: "plan" })
  const { sessions } = await agent.request("session/list", {})
  const heard = updates.length
  await agent.request("session/load", { sessionId, cwd: "/", mcpServers: [] })
  await agent.request("session/close", { sessionId })

  expect(initialized).toMatchObject({ protocolVersion: 1, authMethods: [{ id: "fixture.api_key" }] })
  expect(modes?.currentModeId).toBe("default")
  expect(turn.stopReason).toBe("end_turn")
  expect(turn._meta).toMatchObject({ heard: [{}, { result: { content: "text of /etc/hosts" } }] })
  expect(asked).toEqual(["reject_once", "allow_once"])
  expect(updates.slice(0, heard).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    ...Array.from({ length: 4 }, () => "agent_message_chunk"),
    "current_mode_update"
  ])
  expect(updates.slice(heard).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "user_message_chunk",
    "agent_message_chunk"
  ])
  expect(sessions).toMatchObject([{ sessionId }])
  child.stdin.end()
  expect(await ended).toBe(0)
})

test("cancels a turn that does not end by itself", async () => {
  const { agent, connection } = connect(["--delay", "session/prompt@1=600000"])
  await agent.request(methods.agent.initialize, hello)
  const { sessionId } = await agent.request("session/new", { cwd: "/", mcpServers: [] })
  const turn = agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "x" }] })
  await agent.notify("session/cancel", { sessionId })

  expect((await turn).stopReason).toBe("cancelled")
  connection.close()
})

test("is told errors, and reads through pollution, cut characters and unknown updates", async () => {
  const { agent, updates } = connect([
    "--pollute=before=npm warn",
    "--split-utf8",
    "--unknown-update=turn_completed",
    "--error=session/prompt#2=-32603:boom"
  ])
  await agent.request(methods.agent.initialize, hello)
  const { sessionId } = await agent.request("session/new", { cwd: "/", mcpServers: [] })
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "é€" }] })

  expect(updates.map((update) => ("content" in update ? update.content : update))).toContainEqual({
    type: "text",
    text: "é€"
  })
  await expect(
    agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "x" }] })
  ).rejects.toMatchObject({ code: -32603 })
})
