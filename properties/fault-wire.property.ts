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
  // Seen to fail when `partial_disconnect` ends cleanly, when a reply announces a byte too many or characters for
  // bytes, and when the `:rst` of an entry is lost.
  "16, 17. completed is a whole message and a clean end, reset is a broken one": outcomeIsTheEnd,
  // Seen to fail when comments are counted, when whole events before a cut are not, and when a reset counts an event
  // more.
  "18. a client that reads to the end receives the events that were counted": countedIsReceived,
  // Seen to fail when `connection_reset` sends a head.
  "19. the head comes before everything, and connection_reset sends nothing": headComesFirst,
  // Seen to fail when pieces are cut in UTF-16 units, and when a partial answer lacks its last piece.
  "20. the pieces of a text are the text, each of chunkSize code points but the last": piecesAreTheText,
  // Seen to fail when tokens are UTF-16 units, and when they are pieces.
  "21. output tokens are code points, however the text is cut": tokensAreCodePoints,
  // Seen to fail when arguments are cut in UTF-16 units.
  "22. the fragments of a tool call are its arguments, cut between code points": fragmentsAreTheArguments,
  // Seen to fail when `stream_eof` says it, and when `max_tokens` does not.
  "23. [DONE] comes once and last, or where its behaviour says": doneIsLast,
  // Seen to fail when it is rounded down, and when `quota_exceeded` has one.
  "24. retry-after comes with the behaviours that are about it, and is never too short": retryAfterIsRight,
  // Seen to fail when a 503 or an exhausted script (it did) leaves it out, and when `json_error_ok` has one.
  "25. the request id is on every error of the API and on nothing else": requestIdIsOnErrors,
  // Seen to fail when an answer waits for those in progress, when `slow_success` does not pause behind its last text,
  // and when `partial_disconnect` drops at once.
  "27 to 29. an answer takes the time of its behaviour, whatever the others do": timeIsItsOwn,
  // Seen to fail when pauses come before the texts, and when later pauses are a millisecond longer.
  "27. slow answers pause behind each text and nowhere else": slowPiecesArePaced,
  // Seen to fail when an answer waits for those in progress.
  "28. what takes no time is there at once": nothingElseWaits,
  // Seen to fail when `usage_overflow` says it twice.
  "a stream says once how it finished": finishIsSaidOnce,
  // Seen to fail when `both` leaves out the event behind the finish.
  "the usage of a chat stream stands where it was asked for": usageStandsInPlace,
  // Seen to fail when ids count the exchanges of the server.
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
