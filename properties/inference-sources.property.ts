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
    // Seen to fail when the key is asked for before the queue (`decide`).
    "29. the source of an answer follows from the state at its step": invariants.sourceFunction,
    // Seen to fail when a queue gives its newest entry.
    "31. queues are served in order, each entry once, to their own path": invariants.queueOrder,
    // Seen to fail when auxiliary streams stop at the gate too, when a release wakes one copy alone, and when a gate
    // that is closed again in the same turn keeps those whom it had woken.
    "32. a held gate stops foreground streams of queue and modes, and nothing else": invariants.gateScope,
    // Seen to fail when auxiliary requests take turns as well.
    "33. agent turns are used up in order by foreground requests": invariants.turnOrder,
    // Seen to fail when the log keeps one entry less than its bound.
    "34. every handled request is one entry and one count, in order of decision": invariants.logOrder,
    // Seen to fail when requests are counted as they end.
    "35. the log has its entry before the first byte and before Received": invariants.logFirst,
    // Seen to fail when the first event is not paced (`composeStream`).
    "36. event k is sent k delays after the start, and only streams are paced": invariants.pacing,
    // Seen to fail when the timer of the comments is not started again after the first.
    "1.2. a stream that is silent for 15 s says something": invariants.keepAlive
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)

// Seen to fail when a refusal uses up an agent turn.
test(
  "30. a refusal changes nothing but the log",
  () => {
    const drawn = histories({ ties: "none", closes: false, names: "few" })
    const history = drawn.map((one) => readable({ ...one, setup: { ...one.setup, requiresKey: true } }))
    return checkProperty("refusals", fc.asyncProperty(history, refusalIsPure), { runs: 80 })
  },
  patienceMs
)
