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
    "16. before its release no copy completes, and JSON and raw copies send nothing": invariants.noEarlyCompletion,
    "17. all events before the last need no release": invariants.onlyTheEndIsHeld,
    "18. a release changes nothing in its own turn, and after it no copy waits": invariants.release,
    "19. a blocked expectation is not satisfied before its release": invariants.noEarlySatisfaction
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

test(
  "18. a second release changes nothing",
  () => {
    const history = histories({ ties: "none", closes: false, names: "few" })
    return checkProperty("second release", fc.asyncProperty(history, releaseIsIdempotent), { runs: 80 })
  },
  patienceMs
)

test(
  "20. disposing a handle is releasing it",
  () => checkProperty("disposal", fc.asyncProperty(anyHistory, disposalIsRelease), { runs: 80 }),
  patienceMs
)
