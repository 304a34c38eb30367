import { describe, expect, test } from "vitest"
import { markedProcesses, processStat } from "../../src/live/proc-files.ts"
import { makeProcessWorld } from "../harness/process-world.ts"

/** Seen to fail: a search that takes a process without an environment for one of somebody else. */
describe.runIf(processStat(process.pid) !== null)("a search for marked processes", () => {
  test("finds one that is being given another program", async () => {
    const { host, sh } = makeProcessWorld()
    const process = await sh('again="exec /bin/sh -c \\"\\$again\\""; export again; eval "$again"')
    const looks = Array.from({ length: 500 }, () => markedProcesses({ runId: host.runId, spawnId: null }))

    expect(looks.filter((found) => found.length === 0)).toHaveLength(0)
    expect(looks[0]).toMatchObject([{ pid: process.pid }])
  })
})
