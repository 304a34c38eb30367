import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { InferenceRequestMatcher, MockModelEntry } from "llm-understudy"
import { withLeader } from "llm-understudy/harness"
import { rejection } from "../outcomes.mjs"
import { checkGrokAgent } from "./grok-clients.mjs"
import { expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

/** Grok gives itself up to a minute; this is a guard against hanging. */
const foundAgainMs = 60_000

/**
 * What the leader of grok 1.0.41 logs when it has lost its place in what a client sends: it takes the beginning of a message, `{"ty`,
 * for a length and drops the connection, and that message is never answered. About one client in a hundred meets it, as the leader
 * writes while it reads.
 */
const lostItsPlace = /Message too large: 2065855609 bytes/

const attemptsMax = 3

/**
 * A row over a leader that serves nobody else, with a function that starts a client of it with a session; all of it is ended, whatever
 * comes of the body. What fails by the defect above, as the leader's log shows, says nothing of what the row is about, and is done over.
 */
const checkLeader = (title, body) =>
  checkGrokAgent(title, async ({ client, harness, profile }) => {
    for (let attempt = 1; ; attempt++) {
      const room = await openRoom({ client, harness, profile })
      const error = await withLeader(room.fixture, () => body(room)).then(
        () => null,
        (failure) => failure
      )
      if (error === null) return assertGone(room)
      const log = await room.fixture.home.leaderLog()
      if (attempt === attemptsMax || !lostItsPlace.test(log)) throw withWarnings(error, log)
    }
  })

/** The failure of a row, with what its leader warned of last. */
const withWarnings = (error, log) => {
  const warnings = log.split("\n").filter((line) => /WARN|ERROR/.test(line))
  return new Error(`${error.message}\nthe leader warned:\n${warnings.slice(-20).join("\n")}`, { cause: error })
}

const openRoom = async ({ client, harness, profile }) => {
  const server = await harness.startMock()
  server.setModels([MockModelEntry.new("mock-model")])
  const sandbox = await harness.makeSandbox({ profile, mock: server })
  const fixture = await harness.startLeader({ profile, mock: server, sandbox })
  const join = async () => {
    const agent = await fixture.spawnClient()
    await agent.initialize()
    const { sessionId } = await agent.createSession(sandbox.paths.workspace)
    return { agent, sessionId }
  }
  return { client, harness, server, sandbox, fixture, leader: fixture.leaderPid(), join }
}

const assertGone = async ({ harness, fixture, leader }) => {
  for (const pid of [leader, fixture.lastObservedPid() ?? leader])
    ok(await harness.waitForPidDeath(pid, 0), `leader ${pid} runs on; the first was ${leader}`)
}

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
