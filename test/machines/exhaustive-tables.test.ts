import { expect, it } from "vitest"
import { loadMachine, shippedCharts } from "../supervisor/table-beside-xstate.ts"
import { compareAllStates } from "./all-states.ts"
import { standingStates } from "./reached.ts"
import { smallFeeds } from "./small-feeds.ts"

// Seen to fail on these bugs, planted one at a time in src/supervisor/chart-stepper.ts: an `always` that assigns and stays is not
// tried again (copy); the operations of a transition run in reverse (all but gate); of several transitions that are allowed
// the last is taken.

/** Not a bound on the comparison, which is as fast as its machine. */
const patienceMs = 300_000

it.each(shippedCharts)(
  "the table of machines/%s and xstate agree in every state that small inputs reach",
  async (file) => {
    const machine = await loadMachine(file)
    const feed = smallFeeds[machine.id]
    if (feed === undefined)
      throw new Error(
        `chart "${machine.id}" has no small feed; add a row to smallFeeds in test/machines/small-feeds.ts`
      )

    const { states, steps, stood } = compareAllStates(machine, feed)

    console.info(`${machine.id}: ${states} states, ${steps} steps`)
    expect([...stood].sort()).toEqual([...standingStates(machine)].map(dotted).sort())
  },
  patienceMs
)

/** A value of a chart as the path of its leaf. */
const dotted = (value: string): string => value.replaceAll(/[{}"]/g, "").replaceAll(":", ".")
