import { calmChoice } from "../../src/kernel/choice-sources.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { makeSimFiles } from "../../src/sim/files.ts"
import { makeSimStreams } from "../../src/sim/stream-sockets.ts"
import type { StreamWorld } from "./stream-world.ts"

/** Long enough for every chain of promises of a test. */
const turnsMax = 20

/** Makes simulated machines whose sockets behave as the choice has it. */
export const simStreamWorld =
  (choice = calmChoice) =>
  (): StreamWorld => {
    const clock = makeVirtualClock(choice)
    const files = makeSimFiles()
    files.makeFolder("/run")
    /** Longer than anything takes of itself here. */
    const quietMs = 1_000
    const { port } = makeSimStreams({ clock, choice, paths: files })
    let paths = 0
    return {
      streams: port,
      clock,
      freshPath: () => `/run/${++paths}.sock`,
      putStale: async (path) => void files.putSocket(path),
      putFile: (path) => files.put(path, "text"),
      isThere: (path) => files.kindAt(path) !== "nothing",
      async settled(promise) {
        let isSettled = false
        const settle = (): void => {
          isSettled = true
        }
        promise.then(settle, settle)
        do for (let turn = 0; turn < turnsMax; turn++) await null
        while (!isSettled && clock.step())
        return promise
      },
      async quiet() {
        const untilMs = clock.now() + quietMs
        do for (let turn = 0; turn < turnsMax; turn++) await null
        while (clock.nextDue() <= untilMs && clock.step())
      }
    }
  }
