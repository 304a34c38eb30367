import fc from "fast-check"
import { expect, test } from "vitest"
import { faultHistories, steps } from "./arbitraries/fault-histories.ts"
import { twoOrders } from "./arbitraries/fault-lanes.ts"
import { weighted } from "./arbitraries/weighted.ts"
import { checkProperty } from "./check.ts"
import { exchangesOf, wholeOf } from "./invariants/fault-account.ts"
import { aloneWith, answerOf, byLane, takenOf, withoutRefused } from "./invariants/fault-comparisons.ts"
import { patienceMs } from "./laws.ts"
import { runFaultHistory } from "./observation/fault-history-run.ts"

const strays = { isStray: true, asksForFaults: true }

// Seen to fail when a request that is refused draws from its lane, and when chunks tell how many were made.
test(
  "7. requests that are refused in between change nothing of what the others get",
  () =>
    checkProperty(
      "refused in between",
      fc.asyncProperty(
        faultHistories({ asks: strays, steps: steps({ ask: 10, settle: 1, advance: 2 }, strays) }),
        async (history) => {
          const run = await runFaultHistory(history)
          const rest = await runFaultHistory(withoutRefused(run))

          expect(exchangesOf(rest).map(takenOf)).toEqual(exchangesOf(run).map(takenOf))
        }
      )
    ),
  patienceMs
)

const slow = { isSlow: true, isWindowed: true }

// Seen to fail when what it throws goes on, when it can write to events, and when its promise is left to reject.
test(
  "13. an observer that throws, rejects or meddles changes no byte, no record and no later event",
  () =>
    checkProperty(
      "observers",
      fc.asyncProperty(
        faultHistories({
          asks: slow,
          observer: weighted([1, "throws"], [1, "rejects"], [1, "meddles"]),
          steps: steps({ ask: 8, arrive: 2, leave: 1, settle: 1, advance: 2, close: 1 }, slow)
        }),
        async (history) => {
          const quiet = { ...history, setup: { ...history.setup, observer: "quiet" as const } }
          const { history: _, ...run } = await runFaultHistory(history)
          const { history: __, ...undisturbed } = await runFaultHistory(quiet)

          expect(run).toEqual(undisturbed)
        }
      ),
      { runs: 60 }
    ),
  patienceMs
)

// Seen to fail when a lane takes what another has left, when an answer waits for those in progress, and when chunks
// tell how many were made.
test(
  "26, 28, 29. what a client gets, and when, is what it gets alone with the same options, behaviour and attempt",
  () =>
    checkProperty(
      "alone",
      fc.asyncProperty(
        faultHistories({ steps: steps({ ask: 8, settle: 1, advance: 2, leave: 1 }, {}) }),
        fc.nat(20),
        async (history, index) => {
          const run = await runFaultHistory(history)
          const whole = wholeOf(run)
          const exchange = whole[index % whole.length]
          if (exchange === undefined) return
          const alone = await runFaultHistory(aloneWith(run, exchange))

          const last = alone.faults.at(-1)
          expect(last?.record?.behavior).toBe(exchange.record.behavior)
          expect(last === undefined ? null : answerOf(last)).toEqual(answerOf(exchange))
        }
      ),
      { runs: 150 }
    ),
  patienceMs
)

// Seen to fail when an answer waits for those in progress, and when chunks tell how many were made.
test(
  "the same requests in the same order get the same bytes, however time passes between them",
  () =>
    checkProperty(
      "same order, same bytes",
      fc.asyncProperty(
        faultHistories({ asks: strays, steps: steps({ ask: 10, settle: 1, tick: 1, advance: 2 }, strays) }),
        fc.array(fc.nat(5), { maxLength: 20 }),
        async (history, ties) => {
          const hurried = { ...history, ties, steps: history.steps.filter(({ does }) => does === "ask") }
          const run = await runFaultHistory(history)

          expect(await runFaultHistory(history)).toEqual(run)
          expect((await runFaultHistory(hurried)).faults.map(answerOf)).toEqual(run.faults.map(answerOf))
        }
      ),
      { runs: 60 }
    ),
  patienceMs
)

// Seen to fail when lanes draw from one generator, when ids count the exchanges of the server, when lanes number by
// it, and when a lane takes what another has left.
test(
  "E1. what a lane gets follows from its own requests, in whatever order the callers take turns",
  () =>
    checkProperty(
      "order of lanes",
      fc.asyncProperty(twoOrders, async ({ one, other, alone }) => {
        const lanes = byLane(await runFaultHistory(one))

        expect(byLane(await runFaultHistory(other))).toEqual(lanes)
        for (const caller of alone) {
          for (const [lane, list] of Object.entries(byLane(await runFaultHistory(caller)))) {
            expect(lanes[lane]?.slice(0, list.length)).toEqual(list)
          }
        }
      }),
      { runs: 60 }
    ),
  patienceMs
)
