import { test } from "vitest"
import { barrierHolds } from "../src/oracles/barrier.ts"
import { claimHistory } from "../src/oracles/claim-history.ts"
import { checkLinearizable } from "../src/oracles/linearizability.ts"
import type { Oracle } from "../src/oracles/monitor.ts"
import { oneClaim } from "../src/oracles/one-claim.ts"
import { replayFidelity } from "../src/oracles/replay.ts"
import type { SeenEvent } from "../src/oracles/run-event.ts"
import { claimModel } from "../src/oracles/sequential-model.ts"
import { judgeRun } from "../src/oracles/watch-run.ts"
import { anyHistory } from "./arbitraries/histories.ts"
import { broken, type Invariant } from "./invariants/account.ts"
import { lawsOver, patienceMs } from "./laws.ts"

/** No oracle accuses a server that is right. */
const findsNothing =
  (oracle: Oracle): Invariant =>
  (_, { trace }) => {
    for (const { message } of judgeRun([oracle], trace)) broken(message)
  }

const claimsAreExplained: Invariant = (_, { trace }) => {
  for (const part of sinceRegistration(trace)) {
    const [first] = part
    if (first?.type !== "expectation") continue
    const found = checkLinearizable(claimHistory(part, { expectation: first.name }), claimModel)
    if (found.type === "violated") broken(`${found.operation.process} cannot be explained for "${first.name}"`)
  }
}

/** The trace from each registration to the next one of its name: a name that is free again is another expectation. */
const sinceRegistration = (trace: ReadonlyArray<SeenEvent>): ReadonlyArray<ReadonlyArray<SeenEvent>> =>
  trace.flatMap((event, at) => {
    if (event.type !== "expectation") return []
    const next = trace.findIndex(
      (other, index) => index > at && other.type === "expectation" && other.name === event.name
    )
    return [trace.slice(at, next < 0 ? undefined : next)]
  })

const laws = lawsOver(
  anyHistory,
  {
    // Seen to fail when a claim leaves the expectation in the pending list (`expectation-book.ts`, claim).
    "the one-claim oracle finds nothing in what the server does": findsNothing(oneClaim()),
    // Seen to fail when a call stays live after its last copy (`expectation-book.ts`, retire).
    "the replay oracle finds nothing in what the server does": findsNothing(replayFidelity()),
    // Seen to fail when copies go on at a closed barrier (`expectation.ts`, arriveAtBarrier).
    "the barrier oracle finds nothing in what the server does": findsNothing(barrierHolds()),
    // Seen to fail with the first of these, and when a pending expectation is passed by.
    "the claims of every expectation are those of a test-and-set object": claimsAreExplained
  },
  { runs: 200 }
)

test.each(laws.titles)("%s", laws.check, patienceMs)
