import { headlessRunMachine } from "../../../machines/headless-run.machine.ts"
import { headlessBytesMax, headlessDrainMs } from "../../domain/headless-limits.ts"
import type { OutputStream } from "../../ports/process-port.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind } from "../../supervisor/supervisor.ts"
import type { HarnessWorld } from "../harness-world.ts"
import { type FilledTail, makeOutputTail } from "../process/output-tail.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { ProcessOptions } from "../process/process-options.ts"
import type { HeadlessResult } from "./headless-result.ts"

/** A program that is run to its end, with nothing to read. */
export type CommandRun = Pick<
  ProcessOptions,
  "program" | "args" | "cwd" | "environment" | "label" | "allowDetached" | "killWaitMs"
> & { readonly capMs: number }

/** One stream: what was read of it, and why that ended where it was no end. */
interface Collected {
  readonly output: FilledTail
  problem: string | null
}

interface RunData {
  readonly world: HarnessWorld
  readonly command: CommandRun
  readonly startedAt: number
  readonly streams: Readonly<Record<OutputStream, Collected>>
  readonly resolve: (result: HeadlessResult) => void
  readonly reject: (error: unknown) => void
  process: OwnedProcess | null
  pid: number
  elapsedMs: number
  failure: unknown
}

type RunActor = Actor<typeof headlessRunMachine, RunData>

const kind = actorKind<typeof headlessRunMachine, RunData>(
  compileChart(headlessRunMachine),
  {
    spawn: (_, run) => start(run),
    killProcess: (_, run) => void run.data.process?.kill().catch((error) => fail(run, error)),
    stopWatch(_, { data }) {
      data.elapsedMs = data.world.clock.now() - data.startedAt
    },
    awaitLeft: (_, run) =>
      void run.data.process?.close().then(
        () => run.data.world.supervisor.deliver(run, { type: "process.left" }),
        (error) => fail(run, error)
      ),
    tellDone: (_, run) => tellDone(run),
    tellFailed: (_, { data }) => data.reject(data.failure)
  },
  { isGuard: true }
)

/**
 * Runs a program until it ends or its cap is over, and until its output was read and nothing is left of it.
 *
 * **Fails** as `ProcessHost.spawn` does, and with `KillTimeout`; not when the cap ends it
 * **Source** agent-harness.md, sections 4.3 and 7.3
 *
 * @since 0.1.0
 * @category running
 */
export const runCommand = (world: HarnessWorld, command: CommandRun): Promise<HeadlessResult> =>
  new Promise((resolve, reject) => {
    world.supervisor.spawn(
      kind,
      { capMs: command.capMs },
      {
        world,
        command,
        startedAt: world.clock.now(),
        streams: { stdout: collected(), stderr: collected() },
        resolve,
        reject,
        process: null,
        pid: 0,
        elapsedMs: 0,
        failure: null
      }
    )
  })

const collected = (): Collected => ({ output: makeOutputTail(headlessBytesMax), problem: null })

const start = (run: RunActor): void => {
  const { world, command } = run.data
  const { capMs: _, ...options } = command
  const spawned = world.host.spawn({ ...options, stdout: "piped", stderr: "piped", drainMs: headlessDrainMs })
  spawned.then(
    (process) => {
      run.data.process = process
      run.data.pid = process.pid ?? 0
      world.supervisor.deliver(run, { type: "spawned" })
      process.waitForExit().then((status) => world.supervisor.deliver(run, { type: "exited", status }))
      collect(run, process, "stdout")
      collect(run, process, "stderr")
    },
    (error) => {
      run.data.failure = error
      world.supervisor.deliver(run, { type: "spawn.failed" })
    }
  )
}

const collect = (run: RunActor, process: OwnedProcess, stream: OutputStream): void => {
  const { streams, world } = run.data
  process.read(stream, {
    received: (bytes) => streams[stream].output.push(bytes),
    ended(problem) {
      streams[stream].problem = problem
      if (run.snapshot.status === "active") world.supervisor.deliver(run, { type: "stream.ended" })
    }
  })
}

const fail = (run: RunActor, error: unknown): void => {
  if (run.snapshot.status !== "active") return
  run.data.failure = error
  run.data.world.supervisor.deliver(run, { type: "kill.failed" })
}

const tellDone = ({ data, snapshot }: RunActor): void => {
  const { world, command, process, streams, elapsedMs, pid } = data
  const { status, timedOut, capMs } = snapshot.context
  if (process === null || status === null) throw new Error("a run that is done has ended")
  for (const [name, { problem }] of Object.entries(streams))
    if (problem !== null)
      world.sandboxes.tell(`warning: ${process.label}: only the end of its ${name} is known: ${problem}`)
  if (world.showsTiming)
    world.sandboxes.tell(`[harness-timing] ${process.label}: ${Math.round(elapsedMs)} ms (timed_out=${timedOut})`)
  const [stdout, stderr] = [readOf(process, streams, "stdout"), readOf(process, streams, "stderr")]
  data.resolve({
    exitCode: status.code,
    signal: status.signal,
    stdout: stdout.text(),
    stderr: stderr.text(),
    timedOut,
    capMs,
    elapsedMs,
    stdoutTruncated: stdout.isTruncated(),
    stderrTruncated: stderr.isTruncated(),
    drainTimedOut: process.hasDrainTimedOut,
    shownStderr: world.redact(process.stderr.text(), command.environment),
    diagnostics: process.diagnostics(),
    binary: null,
    pid
  })
}

/** All of a stream, or the end that its process keeps when it did not end. */
const readOf = (process: OwnedProcess, streams: RunData["streams"], stream: OutputStream) =>
  streams[stream].problem === null ? streams[stream].output : process[stream]
