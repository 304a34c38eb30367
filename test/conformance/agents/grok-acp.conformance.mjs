import { deepEqual, equal, match, ok } from "node:assert/strict"
import { InferenceRequestMatcher } from "llm-understudy"
import { rejection, traced } from "../outcomes.mjs"
import { checkGrokAgent, checkGrokAgents } from "./grok-clients.mjs"
import { callTurn, expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

const foreground = ({ endpoint }) => InferenceRequestMatcher.foreground(endpoint)

/** An agent that is ready for prompts, and its session. */
const begin = async ({ harness, profile, sandbox }, options = {}) => {
  const agent = await harness.startAgent({ profile, sandbox, ...options })
  await agent.initialize()
  const { sessionId } = await agent.createSession(sandbox.paths.workspace)
  return { agent, sessionId }
}

const command = (text) => ({
  callId: "call_kelp",
  name: "run_terminal_command",
  arguments: JSON.stringify({ command: text, description: "count" })
})

checkGrokAgents("over ACP, it answers in the pieces of the stream", async (room) => {
  const { server, client } = room
  const assertServed = expectMainTurns(server, client, [textTurn(client, "Sea is  calm"), textTurn(client, "and warm")])
  const { agent, sessionId } = await begin(room)

  const first = await agent.prompt(sessionId, "hello")
  const afterFirst = agent.capturedText(sessionId)
  const second = await agent.prompt(sessionId, "and the water?")

  deepEqual([first.stopReason, second.stopReason], ["end_turn", "end_turn"])
  deepEqual([afterFirst, agent.capturedText(sessionId)], ["Sea is  calm", "Sea is  calmand warm"])
  ok(agent.updateCount("agent_message_chunk", sessionId) > 2)
  match(JSON.stringify(mainRequests(server)[1].body), /Sea is {2}calm/)
  assertServed()
  equal((await agent.close({ mode: "eof" })).reason, "NaturalExit")
})

checkGrokAgents("over ACP, a tool waits for permission, and its result is sent", async (room) => {
  const { server, client } = room
  const call = command("mkdir kelp && echo $((6 * 7))")
  const assertServed = expectMainTurns(server, client, [callTurn(client, call), textTurn(client, "all counted")])
  const { agent, sessionId } = await begin(room, { permissions: "hold" })

  const turn = agent.prompt(sessionId, "count")
  const asked = await agent.nextPermission()
  equal(mainRequests(server).length, 1)
  asked.answer({ optionId: asked.request.options.find(({ kind }) => kind === "allow_once").optionId })

  equal((await turn).stopReason, "end_turn")
  match(JSON.stringify(asked.request.toolCall), /mkdir kelp/)
  match(JSON.stringify(mainRequests(server)[1].body), /exit: 0\\n42/)
  equal(agent.capturedText(sessionId), "all counted")
  assertServed()
})

checkGrokAgent("over ACP, a refused tool does not run, and ends the turn", async (room) => {
  const { server, client, harness, sandbox } = room
  const call = command("mkdir kelp && echo $((6 * 7))")
  const assertServed = expectMainTurns(server, client, [callTurn(client, call)])
  const { agent, sessionId } = await begin(room, { permissions: "rejectOnce" })

  equal((await agent.prompt(sessionId, "count")).stopReason, "cancelled")

  equal(agent.permissions().length, 1)
  equal(mainRequests(server).length, 1)
  const listing = await harness.spawn({ program: "ls", sandbox, label: "listing" })
  await listing.waitForExit()
  equal(listing.stdout.text(), "")
  assertServed()
})

checkGrokAgents("over ACP, a cancelled turn ends its request, and the next one is answered", async (room) => {
  const { server, client } = room
  const held = server.expectResponseBlocked("held", foreground(client), textTurn(client, "Sea is calm"))
  server.expectResponse("next", foreground(client), textTurn(client, "and warm"))
  const { agent, sessionId } = await begin(room)

  const turn = agent.prompt(sessionId, "hello")
  await held.waitBlocked()
  agent.cancel(sessionId)

  equal((await turn).stopReason, "cancelled")
  await traced(server, ({ type, outcome }) => type === "ended" && outcome === "client_closed")
  const mark = agent.mark()
  equal((await agent.prompt(sessionId, "and the water?")).stopReason, "end_turn")
  ok(agent.updatesSince(mark, sessionId).some(({ kind }) => kind === "agent_message_chunk"))
  match(agent.capturedText(sessionId), /and warm$/)
})

checkGrokAgent("killed in a turn, its session is there for the next process", async (room) => {
  const { server, client, sandbox } = room
  server.expectResponse("first", foreground(client), textTurn(client, "Sea is calm"))
  const held = server.expectResponseBlocked("held", foreground(client), textTurn(client, "lost at sea"))
  server.expectResponse("after", foreground(client), textTurn(client, "and warm"))
  const { agent, sessionId } = await begin(room)
  await agent.prompt(sessionId, "hello")
  const broken = rejection(agent.prompt(sessionId, "and the water?"))
  await held.waitBlocked()
  agent.startKill()
  equal((await broken)._tag, "AgentClosed")
  equal((await agent.close()).signal, "SIGKILL")

  const next = await room.harness.startAgent({ profile: room.profile, sandbox })
  await next.initialize()
  await next.loadSession(sessionId, sandbox.paths.workspace)
  match(next.capturedText(sessionId), /^Sea is calm/)
  equal((await next.prompt(sessionId, "once more")).stopReason, "end_turn")

  match(next.capturedText(sessionId), /and warm$/)
  match(JSON.stringify(mainRequests(server).at(-1).body), /Sea is calm/)
})

checkGrokAgent("over ACP, sixteen turns of one session have the order in which they were asked", async (room) => {
  const { server, client } = room
  const texts = Array.from({ length: 16 }, (_, index) => `wave ${index};`)
  const assertServed = expectMainTurns(
    server,
    client,
    texts.map((text) => textTurn(client, text))
  )
  const { agent, sessionId } = await begin(room)

  for (const [index] of texts.entries()) equal((await agent.prompt(sessionId, `${index}`)).stopReason, "end_turn")

  equal(agent.capturedText(sessionId), texts.join(""))
  assertServed()
})
