import fc from "fast-check"
import { test } from "vitest"
import { faultHistories, steps } from "./arbitraries/fault-histories.ts"
import { weighted } from "./arbitraries/weighted.ts"
import { entriesInOrder } from "./invariants/fault-cursor.ts"
import { faultLawsOver } from "./invariants/fault-laws.ts"
import {
  attemptsAreComplete,
  closedBeginsNoGap,
  closingIsOne,
  eventsAreLines,
  eventsStandStill,
  leavingEndsIt,
  oneResult,
  onlyLeavingCloses,
  recordsOnlyGrow,
  requestIsToldFirst,
  resultFollowsRequest
} from "./invariants/fault-records.ts"
import { patienceMs } from "./laws.ts"

const asks = { isSlow: true, isWindowed: true }

const observer = fc.oneof(
  weighted([2, "quiet"], [1, "throws"], [1, "rejects"], [1, "meddles"]),
  fc.record({ closesAt: fc.integer({ min: 1, max: 12 }) })
)

const own = steps(
  { ask: 8, arrive: 2, leave: 3, read: 2, tick: 2, settle: 1, advance: 3, refuse: 1, accept: 1, close: 1 },
  asks
)

const laws = faultLawsOver(
  fc.oneof(
    { weight: 3, arbitrary: faultHistories({ observer, asks, steps: own }) },
    { weight: 2, arbitrary: faultHistories({ observer, asks, gaps: true, steps: own }) }
  ),
  {
    // Seen to fail when the record is listed after it is told, and when it is told in a step of its own.
    "9. a request is told once, when it is recorded and before its first byte": requestIsToldFirst,
    // Seen to fail when a stall is told at its end alone, when that tells a second result, when none is told of a client that left, and when
    // `close` resolves before the answers are ended.
    "10, 36. each accepted exchange tells one result, at the latest when close resolves": oneResult,
    // Seen to fail when a result tells `success` for what `random` became, and when the end of a stall counts a
    // chunk.
    "11. a result follows its request and agrees with it and with the record": resultFollowsRequest,
    // Seen to fail when events are not frozen.
    "13. what an observer was told cannot be changed": eventsStandStill,
    // Seen to fail when the end of a stall changes its outcome, and when it counts a chunk.
    "14. chunks only grow, and nothing changes once the outcome is set": recordsOnlyGrow,
    // Seen to fail when an exchange whose client left takes another number.
    "15. there are as many records as request events, and the last has that number": attemptsAreComplete,
    // Seen to fail when nobody notices that a client left in a pause.
    "30. an exchange whose client left counts nothing more and leaves no timer": leavingEndsIt,
    // Seen to fail when the end of a stall makes it `client_closed`.
    "only a client that leaves or a server that is closed makes client_closed": onlyLeavingCloses,
    // Seen to fail when each call has a promise of its own, when the timer of a gap is left, and when an exchange that ends with
    // the server begins the gap behind it (it did).
    "36. closing twice is closing once, and nothing is left behind": closingIsOne,
    // Seen to fail when a gap that begins with the end of the server is told (it was).
    "who closes a server is told of no gap any more": closedBeginsNoGap,
    // Seen to fail when the outcome comes behind the chunks.
    "37. every event is one line of JSON with its members in their order": eventsAreLines,
    // Seen to fail when an observer that throws ends the step in which a request is accepted.
    "whoever leaves, reads late, throws or closes, the others get their entries": entriesInOrder
  },
  { runs: 500 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)
