import { equal } from "node:assert/strict"
import { InferenceRequestMatcher } from "llm-understudy"
import { expectMainTurns, textTurn } from "./turns.mjs"

export const expectTexts = ({ server, client }, ...texts) =>
  expectMainTurns(
    server,
    client,
    texts.map((text) => textTurn(client, text))
  )

/** A turn whose words are out while its end is held. */
export const holdTurn = ({ server, client }, text) =>
  server.expectResponseBlocked("held", InferenceRequestMatcher.foreground(client.endpoint), textTurn(client, text))

/** A prompt that grok will not answer; the function it gives ends the agent, and asserts that. */
export const promptInVain = ({ agent, sessionId }, text) => {
  const outcome = agent.prompt(sessionId, text, { deadlineMs: null }).then(
    () => "answered",
    ({ _tag }) => _tag
  )
  return async () => {
    await agent.close()
    equal(await outcome, "AgentClosed")
  }
}

/** Whether a promise has settled by now. */
export const watched = (promise) => {
  const state = { promise, isSettled: false }
  const settle = () => {
    state.isSettled = true
  }
  promise.then(settle, settle)
  return state
}

export const assertTurn = async ({ agent, sessionId }, prompt) =>
  equal((await agent.prompt(sessionId, prompt)).stopReason, "end_turn")

/** The messages of an agent's wire: `in` comes from the agent. */
export const linesOf = ({ wireLog }, way) =>
  wireLog.entries().flatMap(({ direction, parsed }) => (direction === way ? [parsed] : []))

/** Waits for a line of an agent that has come or will come. */
export const lineOf = ({ wireLog }, isWanted) =>
  new Promise((resolve) => {
    const isFound = ({ direction, parsed }) => direction === "in" && parsed !== undefined && isWanted(parsed)
    const stop = wireLog.watch((entry) => {
      if (!isFound(entry)) return
      stop()
      resolve(entry.parsed)
    })
    const found = wireLog.entries().find(isFound)
    if (found === undefined) return
    stop()
    resolve(found.parsed)
  })
