import { expect, test } from "vitest"
import type { AgentTell } from "../../src/cli/agent-tell.ts"
import { type AgentTurns, makeAgentTurns } from "../../src/cli/agent-turns.ts"
import { RunFailed } from "../../src/cli/command-io.ts"
import { simHarness, simProfile } from "../harness/api/sim-harness.ts"

// Seen to fail on these bugs, planted one at a time in src/cli/agent-turns.ts: the limit does not cancel; a second interruption is taken
// as well.

const asking = {
  sessionId: "{sessionId}",
  toolCall: { toolCallId: "call-1", title: "do something" },
  options: [{ optionId: "a", kind: "allow_once", name: "Allow" }]
}

const session = async (script: unknown) => {
  const { scope, settled, clock } = simHarness(script)
  const agent = await settled(scope.startAgent({ profile: simProfile }))
  await settled(agent.initialize())
  const { sessionId } = await settled(agent.createSession(agent.sandbox.paths.workspace))
  const told: Array<string> = []
  const see = (text: string): void => void told.push(text)
  const tell: AgentTell = { words: see, note: see, line: see, problem: see, ask: see, result: () => {} }
  const turns: AgentTurns = makeAgentTurns({
    agent,
    sessionId,
    tell,
    answer: () => "cancelled",
    clock,
    scale: () => 1,
    requestCount: () => 0
  })
  return { turns, told, settled, clock, close: () => settled(scope.close()) }
}

test("a turn gives its words, in the order in which they came, before it says how it ended", async () => {
  const { turns, told, settled, close } = await session({
    turn: [{ kind: "ask", method: "session/request_permission", params: asking }]
  })
  const { turn, problem } = await settled(turns.say("hello", 1000))

  expect([problem, turn.ok, turn.stopReason, turn.text]).toEqual([null, true, "end_turn", "Echo: hello"])
  expect(told.slice(0, 3)).toEqual(["  permission for do something: cancelled", "Echo: ", "hello"])
  expect(told.at(-1)).toMatch(/^ {2}end_turn, \d+ ms, 0 requests$/)
  await close()
})

test("a turn is cancelled at its limit, and an agent that does not heed that has failed by it", async () => {
  const slow = await session({ rules: [{ method: "session/prompt", does: { kind: "delay", ms: 60_000 } }] })
  const heeded = await slow.settled(slow.turns.say("hello", 1000))
  const deaf = await session({ rules: [{ method: "session/prompt", does: { kind: "silent" } }] })
  const unheeded = await deaf.settled(deaf.turns.say("hello", 1000))

  expect(heeded).toMatchObject({ failure: null, turn: { ok: false, stopReason: "cancelled" } })
  expect(heeded.problem).toBe(
    "the turn was cancelled, for it had not ended after 1000 ms; --timeout gives another limit"
  )
  expect(unheeded.failure).toBeInstanceOf(RunFailed)
  expect(deaf.clock.now() - slow.clock.now()).toBeGreaterThan(4000)
  await slow.close()
  await deaf.close()
})

test("a person cancels the turn that runs once, and that is no failure", async () => {
  const { turns, settled, close } = await session({
    rules: [{ method: "session/prompt", does: { kind: "delay", ms: 60_000 } }]
  })
  const before = turns.interrupt()
  const said = turns.say("hello", null)
  const taken = [turns.interrupt(), turns.interrupt()]

  expect([before, ...taken]).toEqual([false, true, false])
  expect(await settled(said)).toMatchObject({ problem: null, turn: { ok: false, stopReason: "cancelled" } })
  expect(turns.interrupt()).toBe(false)
  await close()
})
