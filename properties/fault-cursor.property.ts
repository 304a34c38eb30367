import { test } from "vitest"
import { faultHistories, steps } from "./arbitraries/fault-histories.ts"
import {
  cursorMovesByOne,
  entriesInOrder,
  exhaustedAreListed,
  firstGateAnswers,
  gapsRefuse,
  oneDrawForRandom,
  refusalsLeaveNoTrace,
  uploadsLeaveNoTrace
} from "./invariants/fault-cursor.ts"
import { faultLawsOver } from "./invariants/fault-laws.ts"
import { attemptsAreComplete, behaviorIsTheEntry } from "./invariants/fault-records.ts"
import { patienceMs } from "./laws.ts"

const asks = { isStray: true, isSlow: true, asksForFaults: true }

const laws = faultLawsOver(
  faultHistories({ asks, steps: steps({ ask: 9, arrive: 3, settle: 1, advance: 1, leave: 1 }, asks) }),
  {
    // Seen to fail when the cursor skips an entry, when a lane moves the first one too, when repeatLast repeats the
    // first entry, when an exhausted script begins anew, when `random` is not drawn, when an upload takes its entry
    // where it begins, when refused requests take numbers, when the key in a header is cut short, and when two
    // spellings of a call are two calls.
    "1, 3 to 5. each accepted exchange takes the next entry of its lane, in order of acceptance": entriesInOrder,
    // Seen to fail when a body that is no JSON takes an entry, and when taking an entry of one lane takes one of the
    // first.
    "1. an accepted exchange moves one cursor by one entry": cursorMovesByOne,
    // Seen to fail when a request that is refused draws, when one takes an entry, and when baseline telemetry tells
    // of it.
    "2. a refused request changes no cursor, no record and no event": refusalsLeaveNoTrace,
    // Seen to fail when exhausted exchanges are listed twice, and when a bearer scheme in lower case opens the
    // server.
    "2. an upload that breaks off is as if it had never begun": uploadsLeaveNoTrace,
    // Seen to fail when events of refusals count as attempts, and when `laneAttempt` is the number on the server.
    "6, 15. attempts count from 1 without a gap, in the list, in the events and in each lane": attemptsAreComplete,
    // Seen to fail when authorization is looked at before the route, and the route before the method.
    "8. a request that fails several gates gets the answer of the first of them": firstGateAnswers,
    // Seen to fail when an entry `slow_success` becomes `success`.
    "12. only random becomes another behaviour than its entry": behaviorIsTheEntry,
    // Seen to fail when an exhausted script draws, and when a fault that a request asks for does.
    "32. each random entry takes one draw, in the name of its lane": oneDrawForRandom,
    // Seen to fail when they are not listed, and when they are listed among the records twice.
    "exchanges that found their script exhausted are listed apart": exhaustedAreListed
  },
  { runs: 300 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

const gaps = faultLawsOver(
  faultHistories({
    gaps: true,
    asks: {},
    steps: steps({ ask: 8, settle: 2, tick: 1, advance: 4, leave: 1, refuse: 1, accept: 1 })
  }),
  {
    // Seen to fail when the port goes on accepting in a timed gap.
    "a port refuses connects while it says that it is unavailable, and only then": gapsRefuse,
    // Seen to fail when a gap is an entry that answers.
    "a gap takes no entry of a script": entriesInOrder
  },
  { runs: 250 }
)

test.each(gaps.titles)("%s", gaps.check, patienceMs)
