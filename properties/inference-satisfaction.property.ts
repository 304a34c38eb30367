import fc from "fast-check"
import { expect, test } from "vitest"
import { anyHistory, histories } from "./arbitraries/histories.ts"
import { checkProperty } from "./check.ts"
import { replaysAreNeutral } from "./invariants/comparisons.ts"
import { invariants } from "./invariants/invariants.ts"
import { freeWhenSeen } from "./invariants/resend.ts"
import { lawsOver, patienceMs } from "./laws.ts"

const laws = lawsOver(
  anyHistory,
  {
    "21. satisfied means claimed, primary crossed, no copy active": invariants.definition,
    "22. phases go forward, each at most once, and end once": invariants.monotonePhases,
    "23. nothing satisfies an expectation whose primary was cancelled": invariants.cancelledPrimary,
    "25. a primary read to its end shows as satisfied at once": invariants.readToEnd,
    "26. nobody joins a call whose handle shows its end": invariants.freeAfterSatisfied,
    "27. when all is open and read, every claimed expectation ends, and so does every wait": invariants.liveness,
    "28. a wait started later ends as one started at registration": invariants.levelTriggered
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

test(
  "24. replays never change whether an expectation is satisfied",
  () => {
    const history = histories({ ties: "none", closes: false, names: "own" })
    return checkProperty("replays are neutral", fc.asyncProperty(history, replaysAreNeutral), { runs: 80 })
  },
  patienceMs
)

test(
  "26. an identical request, sent by whoever sees the end, joins nobody",
  async () => {
    let again = 0
    const property = fc.asyncProperty(anyHistory, async (history) => {
      again += await freeWhenSeen(history)
    })

    await checkProperty("free when seen", property, { runs: 100 })

    expect(again).toBeGreaterThan(0)
  },
  patienceMs
)
