import { describe, expect, it } from "vitest"
import { CleanupFailed, ResourceLeak } from "../../src/domain/harness-scope-errors.ts"
import { markedProcesses } from "../../src/live/proc-files.ts"
import { resourceSnapshot } from "../../src/live/resource-snapshot.ts"
import { gone, lines, makeProcessWorld, type ProcessWorld, writtenPid } from "./process-world.ts"

const isLinux = process.platform === "linux"

const signals = ["SIGINT", "SIGTERM", "SIGHUP", "exit"] as const

/** What this process holds that a process of ours could have left. */
const held = (world: ProcessWorld) => ({
  files: resourceSnapshot().openFiles,
  timers: world.armed(),
  pipes: process.getActiveResourcesInfo().filter((name) => /Pipe|Process/.test(name)).length,
  listeners: signals.map((name) => process.listenerCount(name))
})

/** Lets the loop close what was given back. */
const turn = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** The same before a test begins: what the tests before it have given back is no longer counted. */
const heldAtFirst = async (world: ProcessWorld): Promise<ReturnType<typeof held>> => {
  await turn()
  return held(world)
}

describe("nothing is left", () => {
  it.each([
    ["200 processes in a row", 200, 1],
    ["20 at once, ten times", 10, 20]
  ] as const)("of %s", async (_, rounds, atOnce) => {
    const world = makeProcessWorld({ watchdog: true })
    const { host, sh, supervisor } = world
    const before = await heldAtFirst(world)

    for (let round = 0; round < rounds; round++) {
      const started = await Promise.all(Array.from({ length: atOnce }, () => sh("echo hello; cat", { stdin: "piped" })))
      // One ends by itself, one is killed, one is closed, one is dropped.
      await Promise.all(
        started.map((process, index) => {
          const way = (round + index) % 4
          if (way === 1) return process.kill()
          if (way === 2) return process.close()
          if (way === 3) return process[Symbol.asyncDispose]()
          process.endInput()
          return process.close()
        })
      )
    }
    await host.close()
    await turn()

    expect(host.alive()).toEqual([])
    expect(supervisor.alive()).toBe(0)
    expect(markedProcesses({ runId: host.runId, spawnId: null })).toEqual([])
    expect(held(world)).toEqual(before)
  })

  it("of processes that could not be started", async () => {
    const world = makeProcessWorld({ watchdog: true })
    const { host, sh, supervisor } = world
    const before = await heldAtFirst(world)
    for (const options of [{ cwd: "/nowhere" }, { program: "/nowhere" }, { program: "/etc/passwd" }])
      await expect(sh("exit 0", options)).rejects.toThrow()
    await turn()

    expect(host.alive()).toEqual([])
    // The host is still there.
    expect(supervisor.alive()).toBe(1)
    expect(held(world)).toEqual(before)
  })

  it("of a process that floods its output while nobody reads, when it is killed", async () => {
    const world = makeProcessWorld()
    const { sh, host } = world
    const before = await heldAtFirst(world)
    const process = await sh("yes", { stdout: "piped" })
    const flood = await sh("yes")
    await lines(process, 1)
    while (!flood.stdout.isTruncated()) await flood.waitFor(5)
    await Promise.all([process.kill(), flood.kill()])
    await host.close()
    await turn()

    expect(flood.stdout.bytes().byteLength).toBe(65_536)
    expect(held(world)).toEqual(before)
  })
})

it("many hosts listen to the end of this process once, and the last one to close ends that", async () => {
  const counts = () => signals.map((name) => process.listenerCount(name))
  const before = counts()
  const worlds = Array.from({ length: 12 }, () => makeProcessWorld())
  await Promise.all(worlds.map(({ sh }) => sh("sleep 100")))

  expect(counts()).toEqual(before.map((count) => count + 1))
  await Promise.all(worlds.slice(1).map(({ host }) => host.close()))
  expect(counts()).toEqual(before.map((count) => count + 1))
  await worlds[0]?.host.close()
  expect(counts()).toEqual(before)
})

it.runIf(isLinux)("a pipe that a survivor holds is given back", async () => {
  const world = makeProcessWorld()
  const { sh, host } = world
  const before = await heldAtFirst(world)
  const process = await sh("setsid sh -c 'echo $$; exec sleep 100' & wait", { allowDetached: true })
  const left = await writtenPid(process)
  await process.close()
  await turn()

  expect(process.survivors).toEqual([left])
  expect({ ...held(world), listeners: before.listeners }).toEqual(before)
  await host.close()
})

describe("a host that closes", () => {
  it("kills what nobody closed, in silence", async () => {
    const { sh, host } = makeProcessWorld()
    const process = await sh("sleep 100 & echo $!; wait", { stdout: "piped" })
    const pids = [Number(process.pid), ...(await lines(process)).map(Number)]

    await host.close()

    expect([process.status, process.terminationReason]).toEqual([{ code: null, signal: "SIGKILL" }, "DropCleanup"])
    await gone(host, ...pids)
    await expect(sh("exit 0")).rejects.toThrow("the host of its processes is closed")
  })

  it("names what nobody closed where that counts as a leak, and kills it all the same (100)", async () => {
    const { sh, host } = makeProcessWorld()
    const process = await sh("sleep 100", { label: "forgotten agent" })
    const pid = Number(process.pid)
    const leak = await host.close({ leaks: true }).catch((error: unknown) => error)

    expect(leak).toBeInstanceOf(ResourceLeak)
    expect(String(leak)).toContain(`process forgotten agent, pid ${pid}, that nobody closed`)
    expect(host.pidAlive(pid)).toBe(false)
    await expect(host.close()).rejects.toBe(leak)
  })

  it.runIf(isLinux)("finds and kills what carries its mark and was never its own", async () => {
    const { sh, host } = makeProcessWorld()
    // Somebody that was given the environment of an owned process, by whatever way.
    const stranger = makeProcessWorld()
    const process = await sh("echo $HARNESS_OWNER", { label: "agent" })
    await process.wait()
    const mark = process.stdout.text().trim()
    const stray = await stranger.sh(`exec env HARNESS_OWNER=${mark} sleep 100`)
    while (!markedProcesses({ runId: host.runId, spawnId: 1 }).some(({ pid }) => pid === stray.pid))
      await new Promise((resolve) => setTimeout(resolve, 5))
    const pid = Number(stray.pid)

    const leak = await host.close().catch((error: unknown) => error)

    expect(leak).toBeInstanceOf(ResourceLeak)
    expect(leak).not.toBeInstanceOf(CleanupFailed)
    expect(String(leak)).toContain(`process that agent left behind, pid ${pid}`)
    expect(await stray.wait()).toEqual({ code: null, signal: "SIGKILL" })
  })
})
