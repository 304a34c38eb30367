import fc from "fast-check"
import { test } from "vitest"
import { anyHistory, histories } from "./arbitraries/histories.ts"
import { checkProperty } from "./check.ts"
import { replaysConsumeNothing } from "./invariants/comparisons.ts"
import { invariants } from "./invariants/invariants.ts"
import { lawsOver, patienceMs } from "./laws.ts"

const laws = lawsOver(
  anyHistory,
  {
    // Seen to fail when live calls are looked up for foreground requests only (`decide`).
    "9. a request is a replay exactly when its fingerprint has a live call": invariants.overlap,
    // Seen to fail when a paced copy leaves out the scripted headers (`planForCopy`): the primary had no delay, its
    // replay had one.
    "11. a replay read to its end has status, headers and bytes of every complete copy": invariants.fidelity,
    // Seen to fail when a settled call stays in the table of live calls (`retire`).
    "12. a call of which all copies have settled is joined by nobody": invariants.retirement,
    // Seen to fail when an absent request id counts as an id like any other (`fingerprint`).
    "13. requests without a fingerprint neither join nor are joined": invariants.noIdentity,
    // Seen to fail when a call is joined only while its primary is alone in it (`decide`).
    "14. a fingerprint has one live call at most": invariants.uniqueCall,
    // Seen to fail when a copy that has crossed settles once more as its client leaves (`copy.machine.ts`), and when
    // joins count no claim.
    "15. claims count primary and joins, and each copy settles once": invariants.accounting
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

// Seen to fail when a replay takes the head of the queue of its path (`carryOut`).
test(
  "10. replays consume nothing",
  () => {
    const history = histories({ ties: "none", closes: false, names: "own" })
    return checkProperty("replays consume nothing", fc.asyncProperty(history, replaysConsumeNothing), { runs: 80 })
  },
  patienceMs
)
