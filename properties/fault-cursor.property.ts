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
    "1, 3 to 5. each accepted exchange takes the next entry of its lane, in order of acceptance": entriesInOrder,
    "1. an accepted exchange moves one cursor by one entry": cursorMovesByOne,
    "2. a refused request changes no cursor, no record and no event": refusalsLeaveNoTrace,
    "2. an upload that breaks off is as if it had never begun": uploadsLeaveNoTrace,
    "6, 15. attempts count from 1 without a gap, in the list, in the events and in each lane": attemptsAreComplete,
    "8. a request that fails several gates gets the answer of the first of them": firstGateAnswers,
    "12. only random becomes another behaviour than its entry": behaviorIsTheEntry,
    "32. each random entry takes one draw, in the name of its lane": oneDrawForRandom,
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
    "a port refuses connects while it says that it is unavailable, and only then": gapsRefuse,
    "a gap takes no entry of a script": entriesInOrder
  },
  { runs: 250 }
)

test.each(gaps.titles)("%s", gaps.check, patienceMs)
