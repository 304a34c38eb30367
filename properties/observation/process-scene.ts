import type { ExitStatus } from "../../src/domain/exit-status.ts"
import type { OwnedProcess } from "../../src/harness/process/owned-process.ts"
import { makeProcessHost, type ProcessHost } from "../../src/harness/process/process-host.ts"
import { calmChoice, listedChoice } from "../../src/kernel/choice-sources.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { makeTrace, type Trace } from "../../src/kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { SimScript } from "../../src/sim/process-script.ts"
import { makeSimProcesses, type SimMachine } from "../../src/sim/processes.ts"
import { makeSupervisor, type Supervisor } from "../../src/supervisor/supervisor.ts"
import type { ProcessCommand, ProcessScene } from "../arbitraries/processes.ts"

/** What was asked of a process that was there, and when. */
export interface AskedOf {
  readonly kind: "terminate" | "kill" | "close" | "dispose"
  readonly at: number
}

/** What somebody waited for, and what became of it; `end` is `null` when nothing did. */
export interface Waited {
  readonly kind: "close" | "kill" | "dispose" | "wait" | "waitFor" | "write"
  readonly at: number
  /** How much output the process had shown when it ended. */
  outputBytes: number
  end: { readonly at: number; readonly value?: unknown; readonly error?: unknown } | null
}

/** One process of a scene. */
export interface SceneProcess {
  readonly handle: OwnedProcess
  /** Number of its start in the run. */
  readonly spawnId: number
  readonly pid: number
  readonly startedAt: number
  /** What it runs. */
  readonly script: SimScript
  readonly graceMs: number
  /** Whether its group can be asked to end. */
  readonly canTerminate: boolean
  readonly allowDetached: boolean
  readonly asked: Array<AskedOf>
  readonly waits: Array<Waited>
  /** When its end was seen, and how. */
  exit: { readonly at: number; readonly status: ExitStatus } | null
}

/** A scene while and after it is played. */
export interface ProcessStage {
  readonly clock: VirtualClock
  readonly trace: Trace
  readonly supervisor: Supervisor
  readonly machine: SimMachine
  readonly host: ProcessHost
  readonly processes: ReadonlyArray<SceneProcess>
  readonly refusals: ReadonlyArray<unknown>
  /** Timers of those who wait for an end. */
  waitTimers(): number
  /** What is called after each step of time. */
  readonly watches: Array<() => void>
  perform(command: ProcessCommand): Promise<void>
  /** Closes the host. Gives what that failed with. */
  close(): Promise<unknown>
  /** Lets time pass until nothing is armed, or so many milliseconds. */
  pass(ms?: number): Promise<void>
}

/** Long enough for every chain of promises between a step and who waits for it. */
const turns = 12

/** No scene needs as many. */
const stepsMax = 200_000

const runId = "0123456789abcdef0123456789abcdef"

interface StageOptions {
  /** Whether the choices also decide who comes first of what is due together. */
  readonly orders?: boolean
  readonly canTerminate?: boolean
  readonly showsMarks?: boolean
}

/** @since 0.1.0 @category constructors */
export const makeProcessStage = (
  scene: Pick<ProcessScene, "programs" | "choices">,
  { orders = true, canTerminate = true, showsMarks = true }: StageOptions = {}
): ProcessStage => {
  const choice = listedChoice(scene.choices)
  const clock = makeVirtualClock(orders ? choice : calmChoice)
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const programs = Object.fromEntries(scene.programs.map((program, index) => [`/bin/p${index}`, program]))
  const machine = makeSimProcesses({ clock, choice, programs, directories: ["/"], canTerminate, showsMarks })
  let waitTimers = 0
  // What the host itself arms is for those who wait; the delays of its charts are the supervisor's.
  const waitClock: Clock = {
    ...clock,
    arm(ms, label, fire) {
      let isArmed = true
      const disarm = (): void => {
        if (isArmed) waitTimers--
        isArmed = false
      }
      waitTimers++
      const forget = clock.arm(ms, label, () => {
        disarm()
        fire()
      })
      return () => {
        disarm()
        forget()
      }
    }
  }
  const ports = { supervisor, clock: waitClock, processes: machine.port }
  const host = makeProcessHost(ports, { runId, redact: (text) => text })
  const processes: Array<SceneProcess> = []
  const refusals: Array<unknown> = []
  const watches: Array<() => void> = []
  let spawned = 0
  let isClosing = false

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) await null
  }

  const look = (): void => {
    for (const process of processes) {
      const { status } = process.handle
      if (status !== undefined) process.exit ??= { at: clock.now(), status }
    }
    for (const watch of watches) watch()
  }

  const pass = async (ms = Number.POSITIVE_INFINITY): Promise<void> => {
    const end = clock.now() + ms
    await settle()
    for (let step = 0; clock.nextDue() <= end && clock.armed() > 0; step++) {
      if (step > stepsMax) throw new Error(`the scene never comes to rest: ${stepsMax} steps by ${clock.now()} ms`)
      clock.step()
      look()
      await settle()
    }
    if (ms !== Number.POSITIVE_INFINITY) clock.advance(end - clock.now())
  }

  const spawn = (command: Extract<ProcessCommand, { readonly kind: "spawn" }>): void => {
    const { program, allowDetached, graceMs, isPiped, isLost } = command
    const spawnId = ++spawned
    host
      .spawn({
        // Behind the last program is one that is not there.
        program: `/bin/p${program % (scene.programs.length + 1)}`,
        cwd: isLost ? "/lost" : "/",
        environment: {},
        stdin: isPiped ? "piped" : "null",
        allowDetached,
        graceMs
      })
      .then(
        (handle) => {
          const pid = handle.pid ?? 0
          const asked: Array<AskedOf> = isClosing ? [{ kind: "dispose", at: clock.now() }] : []
          const script = scene.programs[program % (scene.programs.length + 1)]
          if (script === undefined || "refusedWith" in script) throw new Error("this one cannot have started")
          processes.push({
            handle,
            spawnId,
            pid,
            startedAt: clock.now(),
            script,
            graceMs,
            canTerminate,
            allowDetached,
            asked,
            waits: [],
            exit: null
          })
        },
        (error: unknown) => refusals.push(error)
      )
  }

  const follow = (process: SceneProcess, kind: Waited["kind"], promise: Promise<unknown>): void => {
    const waited: Waited = { kind, at: clock.now(), outputBytes: 0, end: null }
    const shown = (): number => process.handle.stdout.bytesSeen() + process.handle.stderr.bytesSeen()
    process.waits.push(waited)
    promise.then(
      (value) => {
        waited.end = { at: clock.now(), value }
        waited.outputBytes = shown()
      },
      (error: unknown) => {
        waited.end = { at: clock.now(), error }
      }
    )
  }

  return {
    clock,
    trace,
    supervisor,
    machine,
    host,
    processes,
    refusals,
    watches,
    waitTimers: () => waitTimers,
    pass,
    async close() {
      isClosing = true
      const at = clock.now()
      for (const { handle, asked } of processes) if (handle.status === undefined) asked.push({ kind: "dispose", at })
      const ends: Array<unknown> = []
      host.close().then(
        () => ends.push(undefined),
        (failure: unknown) => ends.push(failure)
      )
      await pass()
      if (ends.length === 0) throw new Error("the host has not closed, and nothing is armed")
      return ends[0]
    },
    async perform(command) {
      if (command.kind === "pass") return pass(command.ms)
      if (command.kind === "spawn") {
        spawn(command)
        return settle()
      }
      const process = processes[command.nth % Math.max(1, processes.length)]
      if (process === undefined) return
      const { handle } = process
      const { kind } = command
      if (kind === "wait") follow(process, kind, handle.wait())
      else if (kind === "waitFor") follow(process, kind, handle.waitFor(command.ms))
      else if (kind === "write") follow(process, kind, handle.write(new Uint8Array(command.bytes)))
      else {
        if (handle.status === undefined) process.asked.push({ kind, at: clock.now() })
        if (kind === "terminate") handle.startTerminate()
        else if (kind === "dispose") follow(process, kind, handle[Symbol.asyncDispose]())
        else follow(process, kind, handle[kind]())
      }
      await settle()
      look()
    }
  }
}

/** Plays a scene to its end: the host is closed, and time passes until nothing is armed. Gives what closing failed with. */
export const playScene = async (stage: ProcessStage, commands: ReadonlyArray<ProcessCommand>): Promise<unknown> => {
  for (const command of commands) await stage.perform(command)
  return stage.close()
}
