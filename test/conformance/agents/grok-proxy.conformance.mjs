import { deepEqual, equal, ok } from "node:assert/strict"
import { checkProxied } from "./leader-fronts.mjs"
import { assertTurn, expectTexts, lineOf, linesOf, promptInVain, watched } from "./leader-turns.mjs"
import { actionsOf, framesOf, isPrompt, isText, isTurnEnd, messagesOf, once } from "./proxied-messages.mjs"
import { mainRequests } from "./turns.mjs"

checkProxied("a turn goes through whole", [], async (room) => {
  const { proxy, join } = room
  const assertServed = expectTexts(room, "Sea is calm")
  const { agent, sessionId } = await join()
  await assertTurn({ agent, sessionId }, "hello")

  assertServed()
  equal(agent.capturedText(sessionId), "Sea is calm")
  equal(agent.reconnectedCount(), 0)
  agent.assertClean()
  const [said, told] = [linesOf(agent, "out"), linesOf(agent, "in")]
  deepEqual(messagesOf(proxy, "clientToLeader"), said)
  // What comes behind the answer may be on its way to us.
  deepEqual(messagesOf(proxy, "leaderToClient").slice(0, told.length), told)
  const [{ type, mode }] = framesOf(proxy, "clientToLeader")
  const [{ type: answer, leader_protocol_version }] = framesOf(proxy, "leaderToClient")
  deepEqual([type, mode, answer, leader_protocol_version], ["register", "stdio", "registered", 1])
  const [{ state, clientToLeader, leaderToClient }, ...others] = proxy.connections()
  deepEqual([state, others], ["piping", []])
  // The registration is no message of theirs.
  const { received, forwarded, bytesIn, bytesOut } = clientToLeader
  deepEqual([received, forwarded, bytesOut], [said.length + 1, said.length + 1, bytesIn])
  ok(leaderToClient.delivered >= told.length + 1)
  for (const [direction, report] of Object.entries({ clientToLeader, leaderToClient }))
    equal(proxy.forwarded(direction), report.forwarded)
})

checkProxied(
  "a prompt that is dropped is never answered, and the next one is",
  [once("c2u", isPrompt, "drop")],
  async (room) => {
    const { server, proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm")
    const { agent, sessionId } = await join()
    const assertInVain = promptInVain({ agent, sessionId }, "hello")
    await assertTurn({ agent, sessionId }, "and the water?")

    assertServed()
    equal(agent.capturedText(sessionId), "Sea is calm")
    equal(agent.reconnectedCount(), 0)
    deepEqual(
      mainRequests(server).map(({ body }) => [/hello/, /and the water/].map((text) => text.test(JSON.stringify(body)))),
      [[false, true]]
    )
    deepEqual(actionsOf(proxy, "once"), ["dropped"])
    const { received, forwarded, dropped } = proxy.connections()[0].clientToLeader
    deepEqual([dropped, forwarded], [1, received - 1])
    await assertInVain()
  }
)

checkProxied(
  "words that are dropped for one client are missing there, and with no other",
  [once("u2c", isText, "drop")],
  async (room) => {
    const { proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm", "Sky is wide")
    const first = await join()
    const second = await join()
    await assertTurn(first, "hello")
    await assertTurn(second, "hello")

    assertServed()
    deepEqual(
      [first, second].map(({ agent, sessionId }) => agent.capturedText(sessionId)),
      [" is calm", "Sky is wide"]
    )
    deepEqual(
      proxy.connections().map(({ leaderToClient }) => leaderToClient.dropped),
      [1, 0]
    )
    deepEqual(
      [first, second].map(({ agent }) => agent.reconnectedCount()),
      [0, 0]
    )
  }
)

checkProxied("words that are doubled are told twice", [once("u2c", isText, "duplicate")], async (room) => {
  const { proxy, join } = room
  const assertServed = expectTexts(room, "Sea is calm")
  const { agent, sessionId } = await join()
  await assertTurn({ agent, sessionId }, "hello")

  assertServed()
  equal(agent.capturedText(sessionId), "SeaSea is calm")
  agent.assertClean()
  const { delivered, forwarded } = proxy.connections()[0].leaderToClient
  equal(forwarded - delivered, 1)
})

checkProxied(
  "a prompt that is doubled is two turns, with two answers to one request",
  [once("c2u", isPrompt, "duplicate")],
  async (room) => {
    const { server, proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm", " and warm")
    const { agent, sessionId } = await join()
    let answers = 0
    const answeredTwice = lineOf(agent, (message) => isTurnEnd(message) && ++answers === 2)
    await assertTurn({ agent, sessionId }, "hello")
    await answeredTwice

    assertServed()
    equal(agent.capturedText(sessionId), "Sea is calm and warm")
    deepEqual(
      agent.violations().map(({ rule }) => rule),
      ["duplicate response"]
    )
    equal(mainRequests(server).length, 2)
    const { received, delivered, forwarded } = proxy.connections()[0].clientToLeader
    deepEqual([delivered, forwarded], [received, received + 1])
  }
)

checkProxied(
  "words that are delayed keep what follows behind them",
  [once("u2c", isText, { type: "delay", ms: 300 })],
  async (room) => {
    const { proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm")
    const { agent, sessionId } = await join()
    await assertTurn({ agent, sessionId }, "hello")

    assertServed()
    equal(agent.capturedText(sessionId), "Sea is calm")
    agent.assertClean()
    deepEqual(actionsOf(proxy, "once"), ["delayed", "forwarded"])
    const told = linesOf(agent, "in")
    deepEqual(told, messagesOf(proxy, "leaderToClient").slice(0, told.length))
  }
)

checkProxied(
  "a prompt and its answer wait at barriers until the test releases them",
  [
    { ...once("c2u", isPrompt, { type: "hold", barrier: "prompt" }), id: "prompt" },
    { ...once("u2c", isTurnEnd, { type: "hold", barrier: "answer" }), id: "answer" }
  ],
  async (room) => {
    const { server, proxy, join } = room
    const assertServed = expectTexts(room, "Sea is calm")
    const { agent, sessionId } = await join()
    const turn = watched(agent.prompt(sessionId, "hello"))

    const prompt = await proxy.waitForHeld("prompt")
    deepEqual([prompt.connection, prompt.direction, prompt.barriers], [1, "clientToLeader", ["prompt"]])
    deepEqual([turn.isSettled, mainRequests(server)], [false, []])
    equal(proxy.release("prompt"), 1)
    const answer = await proxy.waitForHeld("answer")
    deepEqual([answer.connection, answer.direction], [1, "leaderToClient"])
    equal(turn.isSettled, false)
    assertServed()
    equal(proxy.release("answer"), 1)

    equal((await turn.promise).stopReason, "end_turn")
    equal(agent.capturedText(sessionId), "Sea is calm")
    deepEqual(proxy.held(), [])
    for (const rule of ["prompt", "answer"]) equal(actionsOf(proxy, rule)[0], "held")
  }
)
