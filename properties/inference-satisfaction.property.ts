import fc from "fast-check"
import { expect, test } from "vitest"
import { anyHistory, histories } from "./arbitraries/histories.ts"
import { checkProperty, isLeftOut } from "./check.ts"
import { replaysAreNeutral } from "./invariants/comparisons.ts"
import { invariants } from "./invariants/invariants.ts"
import { freeWhenSeen } from "./invariants/resend.ts"
import { lawsOver, patienceMs } from "./laws.ts"

const laws = lawsOver(
  anyHistory,
  {
    // Seen to fail when the guard of `satisfied` asks for the crossing and not for the active copies.
    "21. satisfied means claimed, primary crossed, no copy active": invariants.definition,
    // Seen to fail when a join leads back to `received`, so that Received is published again.
    "22. phases go forward, each at most once, and end once": invariants.monotonePhases,
    // Seen to fail when a cancelled primary counts as crossed (`expectation.machine.ts`).
    "23. nothing satisfies an expectation whose primary was cancelled": invariants.cancelledPrimary,
    // Seen to fail when settlements are delivered to the expectation after the step and not in it (`watchCall`).
    "25. a primary read to its end shows as satisfied at once": invariants.readToEnd,
    // Seen to fail when a settled call stays in the table of live calls.
    "26. nobody joins a call whose handle shows its end": invariants.freeAfterSatisfied,
    // Seen to fail when only the first copy that waits at a barrier, or at the gate, is woken.
    "27. when all is open and read, every claimed expectation ends, and so does every wait": invariants.liveness,
    // Seen to fail when a wait does not look at the phase as it starts, and when `waitBlocked` forgets that the
    // barrier had been reached.
    "28. a wait started later ends as one started at registration": invariants.levelTriggered
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

// Seen to fail when a crossing replay counts as the crossing of the primary.
test(
  "24. replays never change whether an expectation is satisfied",
  () => {
    const history = histories({ ties: "none", closes: false, names: "own" })
    return checkProperty("replays are neutral", fc.asyncProperty(history, replaysAreNeutral), { runs: 80 })
  },
  patienceMs
)

// Seen to fail when the call leaves the table of live calls in a step after the one that publishes its end.
test(
  "26. an identical request, sent by whoever sees the end, joins nobody",
  async () => {
    let again = 0
    const property = fc.asyncProperty(anyHistory, async (history) => {
      again += await freeWhenSeen(history)
    })

    await checkProperty("free when seen", property, { runs: 100 })

    if (!isLeftOut("free when seen")) expect(again).toBeGreaterThan(0)
  },
  patienceMs
)
