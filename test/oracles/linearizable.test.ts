import { expect, test } from "vitest"
import { claimHistory } from "../../src/oracles/claim-history.ts"
import { linearizable } from "../../src/oracles/linearizable.ts"
import type { SeenEvent } from "../../src/oracles/run-event.ts"
import { claimModel } from "../../src/oracles/sequential-model.ts"
import { judgeRun } from "../../src/oracles/watch-run.ts"
import { asked, decided, ended, over, registered } from "./events.ts"

const history = (events: ReadonlyArray<SeenEvent>) => claimHistory(events, { expectation: "turn" })
const once = linearizable({ model: claimModel, history })
const verdict = (...events: ReadonlyArray<SeenEvent>) => judgeRun([once], [registered("turn"), ...events, ended(9)])
const won = (request: number) => [asked(request), decided(request, "expectation", "turn"), over(request)]
const lost = (request: number) => [asked(request), decided(request, "mode"), over(request)]

test("a claim that one wins and the other loses can be explained", () => {
  expect(verdict(...won(1), ...lost(2))).toEqual([])
})

test("a second winner cannot, and neither can a loser while it was free", () => {
  const twice = [...won(1), ...won(2)]

  for (const events of [twice, [...lost(1), ...won(2)]])
    expect(verdict(...events)).toMatchObject([
      { oracle: "linearizability", shape: "no order of the operations explains the expectation" }
    ])
  expect(verdict(...twice)[0]?.message).toBe(
    'request 2 did {"type":"claim"} and got true, after 2 operations that leave taken'
  )
})

test("a history that is too long to be decided fails, and says what bounds it", () => {
  const short = linearizable({ model: claimModel, history, operationsMax: 2 })
  const events = [...won(1), ...lost(2), ...lost(3)]

  expect(judgeRun([short], [registered("turn"), ...events, ended(9)])).toMatchObject([
    {
      shape: "the history of the expectation is too long to be decided",
      message: expect.stringContaining("only 2 operations of a key and 1000000 steps")
    }
  ])
  expect(verdict(...events)).toEqual([])
})
