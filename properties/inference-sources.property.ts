import fc from "fast-check"
import { test } from "vitest"
import { anyHistory, histories, readable } from "./arbitraries/histories.ts"
import { checkProperty } from "./check.ts"
import { refusalIsPure } from "./invariants/comparisons.ts"
import { invariants } from "./invariants/invariants.ts"
import { lawsOver, patienceMs } from "./laws.ts"

const laws = lawsOver(
  anyHistory,
  {
    "29. the source of an answer follows from the state at its step": invariants.sourceFunction,
    "31. queues are served in order, each entry once, to their own path": invariants.queueOrder,
    "32. a held gate stops foreground streams of queue and modes, and nothing else": invariants.gateScope,
    "33. agent turns are used up in order by foreground requests": invariants.turnOrder,
    "34. every handled request is one entry and one count, in order of decision": invariants.logOrder,
    "35. the log has its entry before the first byte and before Received": invariants.logFirst,
    "36. event k is sent k delays after the start, and only streams are paced": invariants.pacing,
    "1.2. a stream that is silent for 15 s says something": invariants.keepAlive
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

test(
  "30. a refusal changes nothing but the log",
  () => {
    const drawn = histories({ ties: "none", closes: false, names: "few" })
    const history = drawn.map((one) => readable({ ...one, setup: { ...one.setup, requiresKey: true } }))
    return checkProperty("refusals", fc.asyncProperty(history, refusalIsPure), { runs: 80 })
  },
  patienceMs
)
