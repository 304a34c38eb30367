import { describe, expect, it } from "vitest"
import { GoalsMissed, makeGoals } from "../../src/explore/goals.ts"
import { watchGoals } from "../../src/oracles/goals.ts"
import type { RunFact, SeenEvent } from "../../src/oracles/run-event.ts"
import {
  abortInBackOff,
  copyBlocked,
  racingRequests,
  replayJoined,
  retryWhileStreaming,
  runGoals
} from "../../src/oracles/run-goals.ts"
import { by, decided, phase, registered } from "./events.ts"

const reached = (events: ReadonlyArray<SeenEvent>): ReadonlyArray<string> => {
  const run = watchGoals(Object.values(runGoals), { sometimes: () => {} })
  for (const event of events) run.see(event)
  return run.reached()
}

const fact = (fact: RunFact, actor = "c1") => by(actor, 0, fact)
const send = (attempt: number, actor = "c1") => fact({ type: "attempt.sent", call: "a", attempt }, actor)
const head = (status: number) =>
  fact({ type: "attempt.answered", call: "a", attempt: 1, status, isStream: true, retryAfterMs: null })
const shown = fact({ type: "stream.event", call: "a", attempt: 1, position: null, text: "x", isTerminal: false })
const cut = fact({ type: "answer.ended", call: "a", attempt: 1, how: "cut", body: "" })
const abort = fact({ type: "call.aborted", call: "a" })

describe("A goal of a run", () => {
  it.each([
    [retryWhileStreaming.label, [send(1), shown, send(2)], [send(1), shown, cut, send(2)]],
    [racingRequests.label, [registered("turn"), send(1), send(1, "c2")], [send(1), send(1, "c2")]],
    [replayJoined.label, [decided(2, "replay", "turn")], [decided(2, "expectation", "turn")]],
    [copyBlocked.label, [phase("turn", "Blocked")], [phase("turn", "Received")]],
    [abortInBackOff.label, [send(1), head(500), abort], [send(1), head(500), send(2), abort]]
  ] as const)("%s is told from the events", (label, does, doesNot) => {
    expect(reached(does)).toEqual([label])
    expect(reached(doesNot)).toEqual([])
  })

  it("is counted once a run in the book of a campaign, which says what no run reached", () => {
    const book = makeGoals([])
    for (let run = 0; run < 3; run++) {
      const goals = watchGoals([copyBlocked, replayJoined], book)
      for (const event of [phase("turn", "Blocked"), phase("turn", "Blocked")]) goals.see(event)
    }

    expect(book.reached()).toEqual({ [copyBlocked.label]: 3, [replayJoined.label]: 0 })
    expect(new GoalsMissed(book.missed(), 3).message).toContain("3 runs never reached:\n  a replay beside its primary")
  })
})
