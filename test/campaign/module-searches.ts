import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { exploreModuleIn } from "../../src/campaign/explore-module.ts"
import type { ExploreModuleOptions } from "../../src/campaign/explore-module-options.ts"
import type { OpenSimWorker } from "../../src/campaign/sim-worker.ts"
import { workHere } from "../../src/campaign/working-here.ts"
import { liveClock } from "../../src/live/clock.ts"

/** A worker in this thread. */
export const openHere: OpenSimWorker = (seat) => workHere({ ...seat, runSync: Effect.runSync, now: liveClock.now })

export interface Around {
  readonly env?: Readonly<Record<string, string>>
  readonly open?: OpenSimWorker
  readonly said?: Array<string>
}

export const search = (
  module: string | URL,
  options: ExploreModuleOptions = {},
  { env = {}, open = openHere, said = [] }: Around = {}
) =>
  exploreModuleIn(
    module,
    { corpus: false, ...options },
    { open, env, now: liveClock.now, say: (line) => said.push(line) }
  )

/** As a user calls it. */
export const exploreIn = (module: string, options: ExploreModuleOptions, around: Around = {}) =>
  exploreModuleIn(module, options, { open: openHere, env: {}, now: liveClock.now, say: () => {}, ...around })

/** A module in a folder of its own: two clients that read, wait and write, and one program where they do so in turns. */
export const lostUpdates = (folder: string): string => {
  const path = join(folder, "updates.mjs")
  writeFileSync(
    path,
    `
const counting = (sim) => {
  let counter = 0
  const add = async (client) => {
    await sim.sleep(sim.choice.draw(3, client + "/late") * 10)
    const read = counter
    const pause = sim.choice.draw(2, client + "/pause") * 10
    if (pause > 0) await sim.sleep(pause)
    counter = read + 1
  }
  return { add: (client) => sim.as(client, () => add(client)), end: () => {
    if (counter !== 2) throw new Error(counter + " of 2 updates")
  } }
}
export const good = { name: "counts", options: { runs: 8 }, run: async (sim) => {
  const { add, end } = counting(sim)
  await add("ann")
  await add("bob")
  end()
} }
export const lost = { name: "an update", options: { runs: 300 }, run: async (sim) => {
  const { add, end } = counting(sim)
  await Promise.all([add("ann"), add("bob")])
  end()
} }
`
  )
  return path
}
