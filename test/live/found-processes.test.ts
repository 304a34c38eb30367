import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { makeFoundProcesses } from "../../src/live/found-processes.ts"
import { processStat } from "../../src/live/proc-files.ts"
import { gone, makeProcessWorld } from "../harness/process-world.ts"

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** Seen to fail: a search that keeps nothing of what it has found. */
describe.runIf(processStat(process.pid) !== null)("a search for marked processes", () => {
  test("still knows one that can show its mark no more, until it has ended", async () => {
    const { host, sh } = makeProcessWorld()
    const mark = { runId: host.runId, spawnId: null }
    const process = await sh("read -r go; exec env -i sleep 600", { stdin: "piped" })
    const pid = process.pid ?? 0
    const [early, late] = [makeFoundProcesses(), makeFoundProcesses()]
    expect(early(mark)).toMatchObject([{ pid }])

    await process.write("go\n")
    while (!readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep")) await turn()

    expect(late(mark)).toEqual([])
    expect(early(mark)).toMatchObject([{ pid, spawnId: process.spawnId }])
    expect(early({ ...mark, spawnId: process.spawnId + 1 })).toEqual([])
    expect(early({ runId: randomBytes(16).toString("hex"), spawnId: null })).toEqual([])

    process.startKill()
    await gone(host, pid)
    expect(early(mark)).toEqual([])
  })
})
