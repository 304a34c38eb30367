import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { checkFront, checkProxied, frontLockOf } from "./leader-fronts.mjs"
import { foundAgainMs } from "./leader-rooms.mjs"
import { assertTurn, expectTexts, holdTurn, lineOf, promptInVain, watched } from "./leader-turns.mjs"
import {
  actionsOf,
  isPrompt,
  isTurnEnd,
  isTurnEndNews,
  messagesOf,
  once,
  recordedOf,
  saysText
} from "./proxied-messages.mjs"
import { mainRequests } from "./turns.mjs"

const assertFoundAgain = async ({ harness, proxy }, { agent, sessionId }) => {
  ok(await harness.waitForReplay(agent, { baseline: Number.MAX_SAFE_INTEGER, timeoutMs: foundAgainMs }))
  deepEqual(
    agent.extNotifications("x.ai/leader_reconnected").map(({ params }) => params),
    [{ sessionId }]
  )
  const { accepted, upstreamRefused, severed, active } = proxy.totals()
  deepEqual({ accepted, upstreamRefused, severed, active }, { accepted: 2, upstreamRefused: 0, severed: 1, active: 1 })
  equal(proxy.connections()[0].state, "severed")
}

checkProxied(
  "cut in the frame of a prompt, the client comes back, and the next prompt is answered",
  [once("c2u", isPrompt, "sever")],
  async (room) => {
    const { server, proxy, join } = room
    const assertServed = expectTexts(room, "and warm")
    const { agent, sessionId } = await join()
    const assertInVain = promptInVain({ agent, sessionId }, "hello")
    await assertFoundAgain(room, { agent, sessionId })
    await assertTurn({ agent, sessionId }, "and the water?")

    assertServed()
    equal(agent.capturedText(sessionId), "and warm")
    equal(mainRequests(server).length, 1)
    deepEqual(actionsOf(proxy, "once"), ["severed"])
    const { received, forwarded, severed, bytesIn, bytesOut } = proxy.connections()[0].clientToLeader
    deepEqual([severed, forwarded], [1, received - 1])
    // Half of its length is all that the leader gets of the frame.
    const cut = recordedOf(proxy, "clientToLeader").at(-1)
    equal(bytesOut, bytesIn - cut.bytes.length + 2)
    deepEqual(
      messagesOf(proxy, "clientToLeader", 2).map(({ method }) => method),
      ["initialize", "session/load", "session/prompt"]
    )
    await assertInVain()
  }
)

checkProxied(
  "cut in the frame of an answer, the client is told the turn again, and goes on with the session",
  [once("u2c", isTurnEnd, "sever")],
  async (room) => {
    const { server, proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm", "and warm")
    const { agent, sessionId } = await join()
    const assertInVain = promptInVain({ agent, sessionId }, "hello")
    await assertFoundAgain(room, { agent, sessionId })
    equal(agent.updateCount("user_message_chunk", sessionId), 1)
    equal(agent.capturedText(sessionId), "Sea is calmSea is calm")
    await assertTurn({ agent, sessionId }, "and the water?")

    assertServed()
    match(agent.capturedText(sessionId), /and warm$/)
    match(JSON.stringify(mainRequests(server)[1].body), /Sea is calm/)
    const { received, delivered, severed, discarded } = proxy.connections()[0].leaderToClient
    deepEqual([severed, received], [1, delivered + 1 + discarded])
    await assertInVain()
  }
)

checkProxied("cut in a turn, the client comes back, and the session survives", [], async (room) => {
  const { server, proxy, join } = room
  const held = holdTurn(room, "lost at sea")
  const { agent, sessionId } = await join()
  const assertInVain = promptInVain({ agent, sessionId }, "hello")
  await lineOf(agent, saysText(" sea"))
  await held.waitBlocked()

  equal(proxy.severNow(), 1)
  await assertFoundAgain(room, { agent, sessionId })
  held.release()
  await lineOf(agent, isTurnEndNews)
  const assertServed = expectTexts(room, "and warm")
  await assertTurn({ agent, sessionId }, "and the water?")

  assertServed()
  match(agent.capturedText(sessionId), /^lost at sea.*and warm$/)
  match(JSON.stringify(mainRequests(server)[1].body), /lost at sea/)
  equal(agent.reconnectedCount(), 1)
  await assertInVain()
})

checkProxied(
  "a partition hides the end of a turn and the next prompt until it heals, and nothing is lost",
  [],
  async (room) => {
    const { server, proxy, join, joinLeader } = room
    const held = holdTurn(room, "Sea is calm")
    const { agent, sessionId } = await join()
    const turn = watched(agent.prompt(sessionId, "hello"))
    await lineOf(agent, saysText(" calm"))
    await held.waitBlocked()

    proxy.partition()
    held.release()
    await held.waitSatisfied()
    const assertServed = expectTexts(room, "Sky is wide", "and warm")
    const next = watched(agent.prompt(sessionId, "and the water?"))
    const beside = await joinLeader()
    await assertTurn(beside, "hello")
    deepEqual([turn.isSettled, next.isSettled], [false, false])
    equal(mainRequests(server).length, 2)
    deepEqual(messagesOf(proxy, "leaderToClient").filter(isTurnEnd), [])

    proxy.heal()
    for (const { promise } of [turn, next]) equal((await promise).stopReason, "end_turn")
    assertServed()
    equal(agent.capturedText(sessionId), "Sea is calmand warm")
    agent.assertClean()
    equal(agent.reconnectedCount(), 0)
    const { accepted, severed } = proxy.totals()
    deepEqual({ accepted, severed }, { accepted: 1, severed: 0 })
  }
)

/** In what ways nobody is at the front any more. */
const losses = {
  "its leader killed": ({ fixture }) => fixture.killLeader(),
  "the proxy stopped": ({ proxy }) => proxy.stop()
}

for (const [loss, act] of Object.entries(losses))
  checkFront(`${loss}, a client starts one of its own at the front, which goes with the fixture`, [], async (room) => {
    const { harness, fixture, leader, proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm", "and warm")
    const { agent, sessionId } = await join()
    await assertTurn({ agent, sessionId }, "hello")

    await act(room)
    ok(await harness.waitForReplay(agent, { baseline: Number.MAX_SAFE_INTEGER, timeoutMs: foundAgainMs }))
    await assertTurn({ agent, sessionId }, "and the water?")
    assertServed()
    match(agent.capturedText(sessionId), /and warm$/)
    const prompts = proxy.connections().flatMap(({ id }) => messagesOf(proxy, "clientToLeader", id).filter(isPrompt))
    equal(prompts.length, 1)

    const own = Number(await readFile(frontLockOf(fixture), "utf8"))
    notEqual(own, leader)
    await agent.close()
    await fixture.close()
    ok(await harness.waitForPidDeath(own, 0), `leader ${own} runs on`)
  })
