import fc from "fast-check"
import { test } from "vitest"
import { fanOut } from "./arbitraries/fan-out.ts"
import { anyHistory, histories } from "./arbitraries/histories.ts"
import { checkProperty } from "./check.ts"
import { failureIsNoOp } from "./invariants/comparisons.ts"
import { fanOutIsExact } from "./invariants/fan-out.ts"
import { invariants } from "./invariants/invariants.ts"
import { lawsOver, patienceMs } from "./laws.ts"
import { runHistory } from "./observation/run-history.ts"

const laws = lawsOver(
  anyHistory,
  {
    // Seen to fail when a claim leaves the expectation in the pending list (`expectation-book.ts`, claim).
    "1. no expectation is claimed as primary twice": invariants.onePrimary,
    // Seen to fail when only claims without a fingerprint take the expectation out of the pending list.
    "2. what is registered and no longer pending was claimed or taken back": invariants.conservation,
    // Seen to fail when the newest matching expectation is taken, not the oldest (`oldestPending`).
    "3. expectations with equal matchers are claimed in the order of registration": invariants.registrationOrder,
    // Seen to fail when pending lists are kept by endpoint alone (`pendingFor`).
    "4. a matched answer is for the endpoint and kind of its request": invariants.exactMatch,
    // Seen to fail when a queue that holds something is asked before the pending list (`decide`).
    "5. no request passes a pending expectation that is for it": invariants.noBypass,
    // Seen to fail when a claim without a fingerprint frees the name at once, and when no name is ever refused.
    "7. names of unsettled expectations are different": invariants.distinctNames,
    // Seen to fail when a barrier inside the stream of a bodiless status is taken (it was), and when CR in event data is.
    "4.1. what cannot be served is refused where it is registered": invariants.badScriptsFail
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

// Seen to fail when the fingerprint takes in the length of the request id and not its text, and when it takes in
// requests without an id.
test(
  "6. of N different requests at once, as many as there are expectations take one each",
  () =>
    checkProperty(
      "fan-out",
      fc.asyncProperty(fanOut, async (history) => fanOutIsExact(history, await runHistory(history))),
      { runs: 200 }
    ),
  patienceMs
)

// Seen to fail when an expectation enters the pending list before its name is looked up, so that a refused one stays
// there.
test(
  "8. a registration that fails leaves no trace",
  () => {
    const history = histories({ ties: "either", closes: false, names: "few", mistakes: true })
    return checkProperty("failed registrations", fc.asyncProperty(history, failureIsNoOp), { runs: 80 })
  },
  patienceMs
)
