import { ownerValue, ownerVariable } from "../../domain/owner-mark.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { OutputStream, ProcessPort, ProcessRun } from "../../ports/process-port.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import { type HandleEvents, makeOwnedProcess } from "./make-owned-process.ts"
import type { OwnedProcess } from "./owned-process.ts"
import { type ProcessActor, type ProcessNews, processKind } from "./process-actor.ts"
import { processDiagnostics, type Redact } from "./process-diagnostics.ts"
import { makeProcessInput } from "./process-input.ts"
import type { CheckedOptions } from "./process-options.ts"
import { makeCapture, makePipe, type ProcessOutput } from "./process-output.ts"

/** What a world provides for processes. The clock is that of the processes: where they are real, so is it. */
export interface ProcessPorts {
  readonly supervisor: Supervisor
  readonly clock: Clock
  readonly processes: ProcessPort
}

/** Where processes are started: what they share, and who of them is left. */
export interface SpawnRoom {
  readonly ports: ProcessPorts
  readonly runId: string
  readonly run: ProcessRun
  readonly redact: Redact
  /** Those of which something is left, oldest first; the handle is there as soon as the process is. */
  readonly alive: Map<ProcessActor, OwnedProcess>
  /** Every start of the run by its number, for what is found of it later. */
  readonly starts: Map<number, { readonly label: string; readonly allowDetached: boolean }>
  /** Called when one is gone, or cannot be killed. */
  changed(): void
}

/**
 * Starts a process in a room.
 *
 * **Fails** with `BinaryNotFound`, `SpawnCwdMissing`, `SpawnFailed`
 *
 * @since 0.1.0
 * @category processes
 */
export const spawnProcess = (room: SpawnRoom, options: CheckedOptions): Promise<OwnedProcess> =>
  new Promise((resolve, reject) => {
    // Inside of one task, so that the actor and its handle are there before its first step.
    room.ports.supervisor.run(() => {
      const told: { events: HandleEvents | null } = { events: null }
      const process = startActor(room, options, {
        started: () => resolve(handle),
        stuck() {
          told.events?.stuck()
          room.changed()
        },
        exited: () => told.events?.exited(),
        drained: () => told.events?.drained(),
        reaped() {
          room.alive.delete(process)
          told.events?.reaped()
          room.changed()
        },
        failed(error) {
          room.alive.delete(process)
          reject(error)
          room.changed()
        }
      })
      const { handle, events } = makeOwnedProcess({ process, clock: room.ports.clock, redact: room.redact })
      told.events = events
      room.alive.set(process, handle)
    })
  })

const startActor = (room: SpawnRoom, options: CheckedOptions, news: ProcessNews): ProcessActor => {
  const { supervisor, processes } = room.ports
  const { program, args, cwd, label, stdin, stderrFile, graceMs, killWaitMs, drainMs, allowDetached } = options
  const spawnId = room.starts.size + 1
  room.starts.set(spawnId, { label, allowDetached })
  const environment = { ...options.environment, [ownerVariable]: ownerValue(room.runId, spawnId) }
  const output = (stream: OutputStream): ProcessOutput =>
    options[stream] === "capture"
      ? makeCapture(options.tailBytes)
      : makePipe(options.tailBytes, {
          pause: () => process.data.hold?.pause(stream),
          resume: () => process.data.hold?.resume(stream)
        })
  const process: ProcessActor = supervisor.spawn(
    processKind,
    { graceMs, killWaitMs, drainMs, sweeps: true, allowsDetached: allowDetached },
    {
      supervisor,
      port: processes,
      run: room.run,
      mark: { runId: room.runId, spawnId },
      label,
      spec: { program, args, cwd, environment, stdin, ...(stderrFile === null ? {} : { stderrFile }) },
      input: makeProcessInput({
        label,
        isPiped: stdin === "piped",
        diagnostics: () => processDiagnostics(process, room.redact)
      }),
      outputs: { stdout: output("stdout"), stderr: output("stderr") },
      news,
      hold: null,
      unguard: null,
      failure: new Error(`${label} was not started`),
      refusal: null
    }
  )
  return process
}
