import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { startVirtualServer } from "../../src/sim.ts"
import type { History } from "../model/command.ts"
import { callsOf } from "../observation/calls.ts"
import { perform } from "../observation/perform.ts"
import { runHistory, serverOptions } from "../observation/run-history.ts"
import { makeWorld } from "../observation/world.ts"
import { same, seenBy } from "./comparisons.ts"

/**
 * 37. What happens on one server never changes what another one serves, shows or logs, though they share a clock.
 *
 * **Takes** two histories without drawn ties; of the second the commands count and not the times
 */
export const isolation = async (history: History, neighbours: History): Promise<void> => {
  const alone = await runHistory(history)
  const clock = makeVirtualClock()
  const other = makeWorld(startVirtualServer({ ...serverOptions(neighbours.setup), clock }), neighbours.steps)
  const calls = callsOf(neighbours.steps.map(({ command }) => command))
  const beside = await runHistory(history, {
    start: ({ setup }) => startVirtualServer({ ...serverOptions(setup), clock }),
    beside(step) {
      const call = calls[step]
      if (call !== undefined) perform(other, call, false)
    }
  })
  const all = (run: typeof alone) => ({ ...seenBy(run), trace: run.trace, waits: run.waits, log: run.log.map(entryOf) })
  same(all(alone), all(beside), "with another server beside it")
}

const entryOf = ({
  number,
  path,
  body,
  authorization,
  headers,
  answer
}: Awaited<ReturnType<typeof runHistory>>["log"][number]) => ({
  number,
  path,
  body,
  authorization,
  headers,
  text: answer.text
})
