import { test } from "vitest"
import { faultHistories, faultSweeps, steps } from "./arbitraries/fault-histories.ts"
import { faultLawsOver } from "./invariants/fault-laws.ts"
import {
  finishIsSaidOnce,
  fragmentsAreTheArguments,
  piecesAreTheText,
  repliesSayTheText,
  tokensAreCodePoints,
  usageStandsInPlace
} from "./invariants/fault-text.ts"
import { nothingElseWaits, slowPiecesArePaced, timeIsItsOwn } from "./invariants/fault-time.ts"
import {
  countedIsReceived,
  doneIsLast,
  headComesFirst,
  outcomeIsTheEnd,
  requestIdIsOnErrors,
  retryAfterIsRight
} from "./invariants/fault-wire.ts"
import { patienceMs } from "./laws.ts"

const asks = { isWindowed: true, asksForFaults: true }

const wire = {
  "16, 17. completed is a whole message and a clean end, reset is a broken one": outcomeIsTheEnd,
  "18. a client that reads to the end receives the events that were counted": countedIsReceived,
  "19. the head comes before everything, and connection_reset sends nothing": headComesFirst,
  "20. the pieces of a text are the text, each of chunkSize code points but the last": piecesAreTheText,
  "21. output tokens are code points, however the text is cut": tokensAreCodePoints,
  "22. the fragments of a tool call are its arguments, cut between code points": fragmentsAreTheArguments,
  "23. [DONE] comes once and last, or where its behaviour says": doneIsLast,
  "24. retry-after comes with the behaviours that are about it, and is never too short": retryAfterIsRight,
  "25. the request id is on every error of the API and on nothing else": requestIdIsOnErrors,
  "27 to 29. an answer takes the time of its behaviour, whatever the others do": timeIsItsOwn,
  "27. slow answers pause behind each text and nowhere else": slowPiecesArePaced,
  "28. what takes no time is there at once": nothingElseWaits,
  "a stream says once how it finished": finishIsSaidOnce,
  "the usage of a chat stream stands where it was asked for": usageStandsInPlace,
  "a reply says what a stream says": repliesSayTheText
} as const

const sweeps = faultLawsOver(faultSweeps, wire, { runs: 60 })

test.each(sweeps.titles)("%s", sweeps.check, patienceMs)

const histories = faultHistories({
  asks,
  steps: steps({ ask: 10, read: 1, settle: 1, advance: 2, leave: 1 }, asks, 16)
})
const mixed = faultLawsOver(
  histories,
  Object.fromEntries(Object.entries(wire).map(([title, law]) => [`among other requests: ${title}`, law])),
  { runs: 120 }
)

test.each(mixed.titles)("%s", mixed.check, patienceMs)
