import { describe, expect, it } from "vitest"
import { KillTimeout, SpawnFailed } from "../../src/domain/harness-errors.ts"
import { CleanupFailed } from "../../src/domain/harness-scope-errors.ts"
import { makeProcessHost } from "../../src/harness/process/process-host.ts"
import type { ProcessOptions } from "../../src/harness/process/process-options.ts"
import { calmChoice } from "../../src/kernel/choice-sources.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { ProcessPort } from "../../src/ports/process-port.ts"
import type { SimScript, SimStep } from "../../src/sim/process-script.ts"
import { makeSimProcesses, type SimMachineOptions } from "../../src/sim/processes.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"

const forever: SimStep = { kind: "sleep", ms: Number.POSITIVE_INFINITY }

const stubborn: SimScript = { steps: [forever], onTerminate: "ignore" }

const undead: SimScript = { ...stubborn, killDelayMs: Number.POSITIVE_INFINITY }

/** One that starts a descendant and ends at once. */
const parentOf = (script: SimScript, leaves: boolean): SimScript => ({
  steps: [{ kind: "fork", script, leaves, holds: ["stdout"] }]
})

/** A machine in virtual time on which one program runs, `/agent`. */
const makeTimedWorld = (
  agent: SimScript,
  machineOptions: Partial<SimMachineOptions> = {},
  wrap: (port: ProcessPort) => ProcessPort = (port) => port
) => {
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const machine = makeSimProcesses({ clock, choice: calmChoice, programs: { "/agent": agent }, ...machineOptions })
  const host = makeProcessHost(
    { supervisor, clock, processes: wrap(machine.port) },
    { runId: "0123456789abcdef0123456789abcdef", redact: (text) => text }
  )
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await null
  }
  return {
    clock,
    machine,
    host,
    start: (options: Partial<ProcessOptions> = {}) =>
      host.spawn({ program: "/agent", cwd: "/", environment: {}, ...options }),
    /** When a promise settled, in milliseconds, and with what. */
    async settled(promise: Promise<unknown>): Promise<{ readonly at: number; readonly value: unknown }> {
      const ends: Array<{ readonly at: number; readonly value: unknown }> = []
      const end = (value: unknown): void => void ends.push({ at: clock.now(), value })
      promise.then(end, end)
      await turns()
      while (ends.length === 0 && clock.step()) await turns()
      return ends[0] ?? { at: Number.NaN, value: "never" }
    },
    sent: () => machine.signals.map(({ at, signal, isGroup }) => `${at} ${signal}${isGroup ? " to the group" : ""}`)
  }
}

describe("in virtual time", () => {
  it("a close kills exactly after the grace period", async () => {
    const { start, settled, sent } = makeTimedWorld(stubborn)
    const process = await start()

    expect(await settled(process.close())).toEqual({ at: 500, value: { code: null, signal: "SIGKILL" } })
    expect(process.terminationReason).toBe("HardKillAfterGrace")
    expect(sent()).toEqual([
      "0 SIGTERM to the group",
      "500 SIGKILL to the group",
      "500 SIGKILL",
      "500 SIGKILL to the group"
    ])
  })

  it("an end that was asked for without a deadline gets one with the first close", async () => {
    const { start, settled, clock, sent } = makeTimedWorld(stubborn)
    const process = await start({ graceMs: 100 })
    process.startTerminate()
    clock.advance(10_000)

    expect(process.status).toBeUndefined()
    expect((await settled(process.close())).at).toBe(10_100)
    expect(sent().slice(0, 2)).toEqual(["0 SIGTERM to the group", "10100 SIGKILL to the group"])
  })

  it("a process that ends within the grace period is not killed by it", async () => {
    const { start, settled } = makeTimedWorld({ steps: [forever], onTerminate: { exitCode: 4, afterMs: 499 } })
    const process = await start()

    expect(await settled(process.close())).toEqual({ at: 499, value: { code: 4, signal: null } })
    expect(process.terminationReason).toBe("GracefulTerminate")
  })

  it("one that cannot be killed is told of after the kill wait, and again at once", async () => {
    const { start, settled, host, machine } = makeTimedWorld(undead)
    const process = await start({ label: "agent", killWaitMs: 2_000 })
    const first = await settled(process.close())
    const second = await settled(process.kill())

    expect([first.at, second.at]).toEqual([2_500, 2_500])
    expect(first.value).toBeInstanceOf(KillTimeout)
    expect(String(first.value)).toContain("agent was killed and is still there after 2000 ms\nprocess agent: pid 100")
    expect(second.value).toBeInstanceOf(KillTimeout)
    expect((await settled(host.close())).value).toBeInstanceOf(CleanupFailed)
    expect(machine.guarded()).toEqual([100])
  })

  it("output that a descendant holds is waited for exactly a second", async () => {
    const { start, settled } = makeTimedWorld(parentOf(stubborn, true))
    const process = await start()

    expect(await settled(process.wait())).toEqual({ at: 1_000, value: { code: 0, signal: null } })
    expect([process.hasDrainTimedOut, process.stdout.readError()]).toEqual([
      true,
      "it had not ended when the drain bound was over"
    ])
    expect(process.stderr.readError()).toBeNull()
  })

  it("and as long as was asked for, although its end is told at once", async () => {
    const { start, settled } = makeTimedWorld(parentOf(stubborn, true))
    const process = await start({ drainMs: 2_000 })

    expect(await settled(process.waitForExit())).toEqual({ at: 0, value: { code: 0, signal: null } })
    expect((await settled(process.wait())).at).toBe(2_000)
  })

  it("a descendant in the group is killed at the end of its process, and holds nothing up", async () => {
    const { start, settled, host } = makeTimedWorld(parentOf(stubborn, false))
    const process = await start()

    expect((await settled(process.wait())).at).toBe(0)
    expect([process.hasDrainTimedOut, host.pidAlive(101)]).toEqual([false, false])
  })

  it("what left the group is killed in five rounds 20 ms apart, and told of when it is still there", async () => {
    const { start, settled, sent } = makeTimedWorld(parentOf(undead, true))
    const process = await start()
    await settled(process.wait())

    expect((await settled(process.close())).at).toBe(1_100)
    expect(process.survivors).toEqual([101])
    expect(sent().filter((line) => line.endsWith("SIGKILL"))).toEqual(
      [1_000, 1_020, 1_040, 1_060, 1_080].map((round) => `${round} SIGKILL`)
    )
  })

  it("a wait ends with its own time, and the next one with the process", async () => {
    const { start, settled, clock } = makeTimedWorld({ steps: [{ kind: "sleep", ms: 300 }] })
    const process = await start()

    expect(await settled(process.waitFor(299))).toEqual({ at: 299, value: "still running" })
    expect(await settled(process.waitFor(10_000))).toEqual({ at: 300, value: { code: 0, signal: null } })
    expect(await settled(process.wait())).toEqual({ at: 300, value: { code: 0, signal: null } })
    expect(clock.armed()).toBe(0)
  })

  it("a process whose group is ours is killed alone, and told of as not started", async () => {
    const { start, settled, sent, host, clock } = makeTimedWorld(stubborn, { ownGroup: 100 })
    const { at, value } = await settled(start({ label: "agent" }))

    expect(value).toBeInstanceOf(SpawnFailed)
    expect(String(value)).toContain("agent was started and killed: its group 100 may not be signalled")
    expect([at, sent(), host.alive(), clock.armed()]).toEqual([0, ["0 SIGKILL"], [], 0])
  })

  it("and is waited for no longer than 250 ms", async () => {
    const { start, settled, machine } = makeTimedWorld(undead, { ownGroup: 100 })

    expect((await settled(start())).at).toBe(250)
    expect(machine.openPipes()).toBe(0)
  })

  it("signals that the machine refuses are told of, and stop nothing", async () => {
    const { start, settled } = makeTimedWorld(stubborn, {}, (port) => ({
      ...port,
      signalGroup: () => ({ kind: "failed", reason: "EPERM" })
    }))
    const process = await start()

    expect(await settled(process.close())).toEqual({ at: 500, value: { code: null, signal: "SIGKILL" } })
    expect(process.lifecycleErrors).toEqual([
      "SIGTERM to its group: EPERM",
      "SIGKILL to its group: EPERM",
      "SIGKILL to its group: EPERM"
    ])
    expect(process.diagnostics()).toContain("signal failed: SIGTERM to its group: EPERM")
  })

  it("a write that fails tells of the process", async () => {
    const { start, settled } = makeTimedWorld({
      steps: [
        { kind: "write", stream: "stderr", bytes: new TextEncoder().encode("out of memory\n") },
        { kind: "exit", code: 9 }
      ]
    })
    const process = await start({ label: "agent", stdin: "piped" })
    await settled(process.wait())
    const { value } = await settled(process.write("hello"))

    expect(String(value)).toContain("nothing can be written to agent: it has ended\nprocess agent")
    expect(String(value)).toContain("exit code 9, reason NaturalExit")
    expect(String(value)).toContain("    out of memory")
  })

  it("where groups cannot be asked, a close kills at once", async () => {
    const { start, settled } = makeTimedWorld(stubborn, { canTerminate: false })
    const process = await start()

    expect((await settled(process.close())).at).toBe(0)
    expect(process.terminationReason).toBe("HardKill")
  })

  it("what a process is asked while it starts is done when it has", async () => {
    const { host, start, settled } = makeTimedWorld(stubborn, {
      choice: { draw: (_, label) => (label === "process/start" ? 3 : 0) }
    })
    const started = start()
    const closed = await settled(host.close())
    const process = await started

    expect(closed.at).toBe(40)
    expect([process.status, process.terminationReason]).toEqual([{ code: null, signal: "SIGKILL" }, "DropCleanup"])
  })
})
