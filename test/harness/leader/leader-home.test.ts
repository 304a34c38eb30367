import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { ProfileInvalid } from "../../../src/domain/harness-errors.ts"
import { PathTooLong } from "../../../src/domain/harness-scope-errors.ts"
import { leaderHome } from "../../../src/harness/leader/leader-home.ts"
import { leaderLockPath, leaderPaths } from "../../../src/harness/leader/leader-paths.ts"
import { startLeader } from "../../../src/harness/leader/start-leader.ts"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import { plainProfile } from "../../../src/harness/sandbox/sandbox.ts"
import { liveLeaderWorld, smallLeader } from "./live-leader.ts"

const grokProfile = builtInProfile("grok")

/** A home with a lock file of the small leader that holds this; without one for `null`. */
const homeWith = (lock: string | null) => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "us-home-")))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, ".small/logs"), { recursive: true })
  if (lock !== null) writeFileSync(join(home, ".small/leader.lock"), lock)
  return leaderHome(liveLeaderWorld(), { profile: smallLeader, home })
}

describe("the files of a leader", () => {
  it.each([
    ["123", 123],
    [" 123\n", 123],
    ["", null],
    ["abc", null],
    ["-5", null],
    ["12x", null],
    ["1 2", null],
    ["0x10", null],
    ["1e3", null],
    ["12345678901234567890", null],
    ["0", null],
    [null, null]
  ])("name the leader: %j is %j (68)", async (content, pid) => {
    expect(await homeWith(content).readLeaderPid()).toBe(pid)
  })

  it("stand where the profile says, the lock beside a socket that is elsewhere", () => {
    const paths = leaderPaths({ profile: grokProfile, home: "/h" }, "linux")

    expect(paths).toEqual({
      socket: "/h/.grok/leader.sock",
      lock: "/h/.grok/leader.lock",
      log: "/h/.grok/leader.log",
      events: "/h/.grok/logs/unified.jsonl",
      auth: "/h/.grok/auth.json"
    })
    const at = (socketPath: string) => leaderLockPath({ profile: grokProfile, home: "/h", socketPath }, "linux")
    expect([at("/s/a.b.sock"), at("/s.d/plain"), at("/s/.sock")]).toEqual([
      "/s/a.b.lock",
      "/s.d/plain.lock",
      "/s/.sock.lock"
    ])
    expect(() => leaderPaths({ profile: plainProfile, home: "/h" }, "linux")).toThrow(ProfileInvalid)
  })

  it("say who leads as soon as that is a process that runs, and nobody when the time is over", async () => {
    expect(await homeWith(String(process.pid)).waitForLiveLeader(0)).toBe(process.pid)
    expect(await homeWith("2147483000").waitForLiveLeader(0)).toBe(null)
  })

  it("hold what the leader wrote and recorded, as far as it can be read", async () => {
    const home = homeWith(null)
    expect([await home.leaderLog(), await home.leaderEvents()]).toEqual(["", { events: [], skipped: 0 }])

    writeFileSync(home.paths.log, "hello\n")
    writeFileSync(home.paths.events, '{"a":1}\nbroken\n\n[2]\n{"cut')

    expect([await home.leaderLog(), await home.leaderEvents()]).toEqual([
      "hello\n",
      { events: [{ a: 1 }, [2]], skipped: 2 }
    ])
  })

  it.runIf(hasFlock())("tell who holds the lock, by the kernel", async () => {
    const home = homeWith("1")
    expect(await home.lockHolder()).toBe(null)

    const holder = spawn("flock", [home.paths.lock, "sh", "-c", "echo locked; cat"])
    onTestFinished(() => void holder.stdin.end())
    await once(holder.stdout, "data")

    expect(await home.lockHolder()).toBe(holder.pid)
  })

  it("refuse a socket whose path is longer than the system has room for, before anything is started", async () => {
    const world = liveLeaderWorld()
    const socketPath = `/sandboxes/${"s".repeat(world.streams.pathBytesMax)}`

    await expect(startLeader(world, { profile: smallLeader, socketPath })).rejects.toThrow(PathTooLong)
    expect(world.host.alive()).toEqual([])
  })
})

function hasFlock(): boolean {
  try {
    execFileSync("flock", ["--version"])
    return process.platform === "linux"
  } catch {
    return false
  }
}
