import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { processStat } from "../../src/live/proc-files.ts"
import { processGuard } from "../../src/live/process-guard.ts"

const folder = mkdtempSync(join(tmpdir(), "process-guard-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = (): string => join(folder, `guard-${++files}`)

const heldBy = (pid: number, startTime: string | null): string => {
  const path = newPath()
  writeFileSync(path, JSON.stringify({ pid, startTime }))
  return path
}

/** The number of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid

describe("a guard", () => {
  test("is held by one, and can be taken when that has given it back", () => {
    const path = newPath()
    const [one, other] = [processGuard(path), processGuard(path)]
    expect([one.holder(), one.take(), other.take(), other.holder()]).toEqual([null, true, false, process.pid])
    one.giveBack()
    expect([existsSync(path), other.take()]).toEqual([false, true])
  })

  test("of a process that is alive stays, and only that gives it back", () => {
    const path = heldBy(process.ppid, processStat(process.ppid)?.startTime ?? null)
    const guard = processGuard(path)
    expect([guard.take(), guard.holder()]).toEqual([false, process.ppid])
    guard.giveBack()
    expect(existsSync(path)).toBe(true)
  })

  test("of a process that is gone can be taken, also by who was stopped in the middle of clearing it", () => {
    const path = heldBy(endedPid(), null)
    writeFileSync(`${path}.gone`, JSON.stringify({ pid: endedPid(), startTime: null }))
    const guard = processGuard(path)

    expect([guard.take(), guard.take()]).toEqual([false, true])
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid })
    expect(existsSync(`${path}.gone`)).toBe(false)
  })

  test.runIf(processStat(process.pid) !== null)("of a process whose number has become another's can be taken", () => {
    expect(processGuard(heldBy(process.ppid, "1")).take()).toBe(true)
  })

  test("that cannot be made says why, and is held by nobody", () => {
    const guard = processGuard("/dev/null/guard")

    expect(() => guard.take()).toThrow(/ENOTDIR/)
    expect(guard.holder()).toBe(null)
  })
})
