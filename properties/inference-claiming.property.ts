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
    "1. no expectation is claimed as primary twice": invariants.onePrimary,
    "2. what is registered and no longer pending was claimed or taken back": invariants.conservation,
    "3. expectations with equal matchers are claimed in the order of registration": invariants.registrationOrder,
    "4. a matched answer is for the endpoint and kind of its request": invariants.exactMatch,
    "5. no request passes a pending expectation that is for it": invariants.noBypass,
    "7. names of unsettled expectations are different": invariants.distinctNames
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

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

test(
  "8. a registration that fails leaves no trace",
  () => {
    const history = histories({ ties: "either", closes: false, names: "few", mistakes: true })
    return checkProperty("failed registrations", fc.asyncProperty(history, failureIsNoOp), { runs: 80 })
  },
  patienceMs
)
