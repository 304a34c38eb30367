import { barrierRace, proveBarrier } from "../../../test/explore/exhaustive/barrier-race.ts"
import { claimRace, proveClaim } from "../../../test/explore/exhaustive/claim-race.ts"
import { type Proof, prove, told } from "../../../test/explore/exhaustive/prove.ts"
import { proveReplay, replayRace } from "../../../test/explore/exhaustive/replay-race.ts"
import { cpuSeconds } from "../../shared/measure/cpu-seconds.ts"
import { summary } from "../../shared/measure/summary.ts"
import type { Figure, MeasureRow } from "../../shared/row.ts"

/** With three clients; the quick ones have two. */
const proofs: Readonly<Record<string, { readonly whole: () => Proof; readonly quick: () => Proof }>> = {
  claim: { whole: proveClaim, quick: () => prove(claimRace({ clients: 2 })) },
  replay: { whole: proveReplay, quick: () => prove(replayRace({ clients: 2, leavers: 0 })) },
  barrier: { whole: proveBarrier, quick: () => prove(barrierRace({ clients: 2, leavers: 0, events: ["last"] })) }
}

/** They take seconds each. */
const repetitionsMax = 3

const how =
  "Every order of the steps of the server that runs live, with three clients of which one may leave: sleep sets, nothing tried " +
  "twice from one state, and of the two that stay, who are alike, the one who arrives first is called the first. Each search is made " +
  "anew, three times after one to warm up."

const together = (figures: ReadonlyArray<Figure>): Figure => ({
  what: "all three",
  value: figures.reduce((sum, { value }) => sum + value, 0),
  unit: "CPU-s",
  bar: { atMost: 10 }
})

/** Claim, replay and barrier, searched through. */
export const measureExhaustive: MeasureRow = async ({ share, repetitions }) => {
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  const searches = Object.entries(proofs).map(([what, { whole, quick }]) => ({
    what,
    search: share < 1 ? quick : whole
  }))
  for (const { what, search } of searches) {
    const seconds: Array<number> = []
    let proof = search()
    if (!proof.complete || Object.keys(proof.failures).length > 0) problems.push(`${what}: ${told(proof)}`)
    for (let repetition = 0; repetition < Math.min(repetitions, repetitionsMax); repetition++) {
      const began = cpuSeconds()
      proof = search()
      seconds.push(cpuSeconds() - began)
    }
    const { median, min, max } = summary(seconds)
    const { executions, cut, states } = proof
    figures.push({
      what: `${what}: ${executions} executions, ${cut} cut, ${states} states`,
      value: median,
      min,
      max,
      unit: "CPU-s"
    })
  }
  figures.push(together(figures))
  return { how, figures, problems }
}
