import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { onTestFinished } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { runSimTest, type SimTestParts } from "../../src/campaign/sim-test.ts"
import type { SimTestOptions } from "../../src/campaign/sim-test-options.ts"
import { SimFailed } from "../../src/sim.ts"

/** Two workers that read, wait and write: an update is lost when they overlap. */
export const lostUpdate: SimProgram = async (sim) => {
  let count = 0
  const work = async () => {
    const read = count
    await sim.sleep(1 + sim.choice.draw(3, "pause"))
    count = read + 1
  }
  await work()
  await Promise.all([work(), sim.sleep(sim.choice.draw(8, "start")).then(work)])
  sim.sometimes("two workers")
  if (count !== 3) throw new Error(`${count} of 3 updates`)
}

/** The body of a simulated test, as its runner calls it. */
export const run = (
  options: SimTestOptions,
  env: Record<string, string> = {},
  { body = lostUpdate, ...parts }: { readonly body?: SimProgram } & Partial<SimTestParts> = {}
) =>
  runSimTest("an update", options, body, {
    runSync: Effect.runSync,
    testFile: null,
    now: () => 0,
    env,
    say: () => {},
    ...parts
  })

/** The failed run that it failed with. */
export const failureOf = async (running: Promise<unknown>): Promise<SimFailed> => {
  const error = await running.then(
    () => null,
    (thrown: unknown) => thrown
  )
  if (error instanceof SimFailed) return error
  throw new Error(`expected a failed run, and got ${String(error)}`)
}

/** A folder that is gone after the test. */
export const inFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sim-test-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
