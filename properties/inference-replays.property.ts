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
    "9. a request is a replay exactly when its fingerprint has a live call": invariants.overlap,
    "11. a replay read to its end has status, headers and bytes of every complete copy": invariants.fidelity,
    "12. a call of which all copies have settled is joined by nobody": invariants.retirement,
    "13. requests without a fingerprint neither join nor are joined": invariants.noIdentity,
    "14. a fingerprint has one live call at most": invariants.uniqueCall,
    "15. claims count primary and joins, and each copy settles once": invariants.accounting
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

test(
  "10. replays consume nothing",
  () => {
    const history = histories({ ties: "none", closes: false, names: "own" })
    return checkProperty("replays consume nothing", fc.asyncProperty(history, replaysConsumeNothing), { runs: 80 })
  },
  patienceMs
)
