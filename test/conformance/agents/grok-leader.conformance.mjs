import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { InferenceRequestMatcher } from "llm-understudy"
import { rejection } from "../outcomes.mjs"
import { checkLeader, foundAgainMs } from "./leader-rooms.mjs"
import { expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

checkLeader("one leader: two clients have turns at the same time", async ({ server, client, join }) => {
  const [first, second] = [await join(), await join()]
  notEqual(first.sessionId, second.sessionId)

  const turns = [first, second].map(({ agent, sessionId }, index) => agent.prompt(sessionId, `prompt ${index}`))
  const held = []
  while (held.length < 2) held.push(await server.next({ kind: "foreground" }))
  for (const call of held) call.reply(textTurn(client, `for ${JSON.stringify(call.body).match(/prompt (\d)/)[1]}`))

  deepEqual(
    (await Promise.all(turns)).map(({ stopReason }) => stopReason),
    ["end_turn", "end_turn"]
  )
  deepEqual(
    [first, second].map(({ agent, sessionId }) => agent.capturedText(sessionId)),
    ["for 0", "for 1"]
  )
})

checkLeader("one leader: a client loads the session of another", async ({ server, client, join, sandbox }) => {
  const assertServed = expectMainTurns(server, client, [textTurn(client, "Sea is calm"), textTurn(client, "and warm")])
  const first = await join()
  await first.agent.prompt(first.sessionId, "hello")
  const { agent } = await join()

  await agent.loadSession(first.sessionId, sandbox.paths.workspace)
  equal((await agent.prompt(first.sessionId, "and the water?")).stopReason, "end_turn")

  match(agent.capturedText(first.sessionId), /^Sea is calm.*and warm$/s)
  assertServed()
})

checkLeader("killed, the leader is replaced by its clients, and old sessions answer", async (room) => {
  const { server, client, harness, fixture, join } = room
  const assertServed = expectMainTurns(server, client, [
    textTurn(client, "Sea is calm"),
    textTurn(client, "Sky is wide"),
    textTurn(client, "and warm"),
    textTurn(client, "and blue")
  ])
  const [first, second] = [await join(), await join()]
  await first.agent.prompt(first.sessionId, "hello")
  await second.agent.prompt(second.sessionId, "hello")
  const baselines = [first, second].map(({ agent }) => agent.notificationCount())

  const killed = fixture.killLeader()
  const found = await fixture.waitForNewLeader(killed, { timeoutMs: foundAgainMs })
  notEqual(found, killed)
  for (const [index, { agent }] of [first, second].entries())
    ok(await harness.waitForReplay(agent, { baseline: baselines[index], timeoutMs: foundAgainMs }))
  await fixture.reapLeader()

  equal((await first.agent.prompt(first.sessionId, "and the water?")).stopReason, "end_turn")
  equal((await second.agent.prompt(second.sessionId, "and the sky?")).stopReason, "end_turn")
  match(first.agent.capturedText(first.sessionId), /and warm$/)
  match(second.agent.capturedText(second.sessionId), /and blue$/)
  ok(first.agent.reconnectedCount() >= 1 && second.agent.reconnectedCount() >= 1)
  match(JSON.stringify(mainRequests(server)[2].body), /Sea is calm/)
  assertServed()
})

checkLeader(
  "killed in a turn, the leader is replaced, and the next prompt of the session is answered",
  async (room) => {
    const { server, client, harness, fixture, join } = room
    const foreground = InferenceRequestMatcher.foreground(client.endpoint)
    const held = server.expectResponseBlocked("held", foreground, textTurn(client, "lost at sea"))
    const { agent, sessionId } = await join()
    const broken = rejection(agent.prompt(sessionId, "hello", { deadlineMs: null }))
    await held.waitBlocked()
    server.expectResponse("after", foreground, textTurn(client, "and warm"))

    const killed = fixture.killLeader()
    await fixture.waitForNewLeader(killed, { timeoutMs: foundAgainMs })
    await harness.waitForReplay(agent, { baseline: Number.MAX_SAFE_INTEGER, timeoutMs: foundAgainMs })

    equal((await agent.prompt(sessionId, "once more")).stopReason, "end_turn")
    match(agent.capturedText(sessionId), /and warm$/)
    // Grok never answers the prompt that was under way.
    await agent.close()
    equal((await broken)._tag, "AgentClosed")
  }
)

checkLeader("one leader: spoken to over its socket, it says who it is, and goes when it is asked to", async (room) => {
  const { fixture, harness, leader } = room
  const connection = await harness.connectLeader(fixture.socketPath)

  const { pid, socketPath, binaryVersion } = await connection.getLeaderInfo()
  // The answer and the end of the connection are on their way together.
  const answer = await connection.relaunchForUpdate("999.0.0").catch((error) => ({ kind: error._tag }))

  deepEqual([pid, socketPath], [leader, fixture.socketPath])
  equal(connection.protocolVersion, 1)
  match(binaryVersion, /^1\.0\./)
  ok(["relaunching", "AgentClosed"].includes(answer.kind), answer.kind)
  notEqual(await connection.closed(), "clientInitiated")
  ok(await harness.waitForPidDeath(leader, foundAgainMs))
})
