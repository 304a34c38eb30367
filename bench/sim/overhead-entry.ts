import { createHash } from "node:crypto"
import { cpuSeconds } from "../shared/measure/cpu-seconds.ts"
import { racingNetwork, racingSdks } from "./programs/racing-sdks.ts"
import { runOnce } from "./programs/run-once.ts"

/** What one side is asked for: runs of the same program. */
export interface SliceOrder {
  readonly from: number
  readonly runs: number
}

/** What it did. */
export interface Slice {
  readonly seconds: number
  readonly steps: number
  /** Of all hashes; of nothing where the hash is off. */
  readonly digest: string
  /** What became of the clients. */
  readonly outcomes: string
}

// One side of a comparison: a bundle of the package with or without parts of it, which works when it is told to.
process.on("message", async (order: SliceOrder) => {
  const hashes: Array<string> = []
  const outcomes: Array<string> = []
  let steps = 0
  const began = cpuSeconds()
  for (let seed = order.from; seed < order.from + order.runs; seed++) {
    const run = await runOnce(racingSdks, racingNetwork, seed)
    hashes.push(run.hash)
    outcomes.push(...run.outcomes)
    steps += run.kernel.stepCount()
  }
  const seconds = cpuSeconds() - began
  const digest = digestOf(hashes)
  process.send?.({ seconds, steps, digest, outcomes: digestOf(outcomes) } satisfies Slice)
})

const digestOf = (lines: ReadonlyArray<string>): string => createHash("sha256").update(lines.join("\n")).digest("hex")
