import { equal, notEqual } from "node:assert/strict"
import { test } from "node:test"
import { writeName } from "../report.mjs"
import { atMost } from "./at-most.mjs"
import { documentCallers } from "./callers.mjs"
import { disagreement, tell } from "./compare.mjs"
import { writeComparison } from "./comparison.mjs"
import { absent, documentCell, documentFaults } from "./document-table.mjs"
import { knownDifferences } from "./known-differences.mjs"
import { observe } from "./observe.mjs"

/** A cell that takes this long hangs. The longest is three requests with two waits of the AI SDK, 2 s and 4 s. */
const guardMs = 50_000

const inTurn = atMost(24)

const cells = documentFaults.flatMap((fault) =>
  documentCallers.map((caller) => ({ fault, caller, document: documentCell(caller, fault) }))
)

for (const { fault, caller, document } of cells.filter((cell) => cell.document !== absent)) {
  // All of them are started at once, for most of their time is the waiting of clients.
  const observed = inTurn(() => observe(caller, fault.script(caller.endpoint)))
  observed.catch(() => {})

  const name = writeName({ family: "faults of the document", client: caller.name, check: fault.name })
  test(name, { timeout: guardMs }, async (context) => {
    const seen = await observed

    const difference = disagreement(document, seen, fault.waitMs)
    const isHere = (known) => known.client === caller.name && known.fault === fault.name
    const reason = knownDifferences.find(isHere)?.reason ?? null
    const agrees = difference === null
    context.diagnostic(
      writeComparison({ fault: fault.name, client: caller.name, document, ours: tell(seen), agrees, reason })
    )
    if (reason === null) equal(difference, null)
    else notEqual(difference, null, "it agrees now: take it out of the known differences")
  })
}
