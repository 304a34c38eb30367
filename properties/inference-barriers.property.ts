import fc from "fast-check"
import { test } from "vitest"
import { anyHistory, histories } from "./arbitraries/histories.ts"
import { checkProperty } from "./check.ts"
import { disposalIsRelease, releaseIsIdempotent } from "./invariants/comparisons.ts"
import { invariants } from "./invariants/invariants.ts"
import { lawsOver, patienceMs } from "./laws.ts"

const laws = lawsOver(
  anyHistory,
  {
    // Seen to fail when replays pass a closed barrier (`arriveAtBarrier`).
    "16. before its release no copy completes, and JSON and raw copies send nothing": invariants.noEarlyCompletion,
    // Seen to fail when the barrier stands before the first event and not before the last (`composeStream`).
    "17. all events before the last need no release": invariants.onlyTheEndIsHeld,
    // Seen to fail when copies are woken inside the call of `release`, and when a release of all barriers wakes those
    // who wait and leaves the barriers closed for those who come.
    "18. a release changes nothing in its own turn, and after it no copy waits": invariants.release,
    // Seen to fail when JSON copies cross at their first step, which is the barrier (`composePlan`).
    "19. a blocked expectation is not satisfied before its release": invariants.noEarlySatisfaction
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

// Seen to fail when a release leaves the copies that it woke among those waiting: the second one lets them through
// their next barrier.
test(
  "18. a second release changes nothing",
  () => {
    const history = histories({ ties: "none", closes: false, names: "few" })
    return checkProperty("second release", fc.asyncProperty(history, releaseIsIdempotent), { runs: 80 })
  },
  patienceMs
)

// Seen to fail when disposal does nothing, and when it takes a pending expectation back as well.
test(
  "20. disposing a handle is releasing it",
  () => checkProperty("disposal", fc.asyncProperty(anyHistory, disposalIsRelease), { runs: 80 }),
  patienceMs
)
