import { ownedProcessMachine } from "../../../machines/owned-process.machine.ts"
import { clip } from "../../domain/clip.ts"
import { BinaryNotFound, SpawnCwdMissing, SpawnFailed } from "../../domain/harness-errors.ts"
import type { OwnerMark } from "../../domain/owner-mark.ts"
import { isSignallableGroup, isSignallablePid } from "../../domain/signal-target.ts"
import type {
  OutputStream,
  ProcessPort,
  ProcessRun,
  SignalOutcome,
  StartedProcess,
  StartSpec
} from "../../ports/process-port.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import type { ProcessInput } from "./process-input.ts"
import type { ProcessOutput } from "./process-output.ts"

/** What the chart of a process tells whoever holds it; each at most once. */
export interface ProcessNews {
  started(): void
  /** It has ended; its output may still come. */
  exited(): void
  /** It was killed, and is still there after its kill wait. */
  stuck(): void
  /** It has ended and its output was read, as far as the bound allows. */
  drained(): void
  /** Nothing of it is left, but for what was allowed or could not be killed. */
  reaped(): void
  /** Nothing was started. */
  failed(error: Error): void
}

/** What the performers of a process work with. */
export interface ProcessData {
  readonly supervisor: Supervisor
  readonly port: ProcessPort
  readonly run: ProcessRun
  readonly mark: OwnerMark
  readonly label: string
  spec: StartSpec
  readonly input: ProcessInput
  readonly outputs: Readonly<Record<OutputStream, ProcessOutput>>
  readonly news: ProcessNews
  hold: StartedProcess | null
  unguard: (() => void) | null
  failure: Error
  /** Why its group is not ours; `null` while it is, or nothing was started. */
  refusal: string | null
}

export type ProcessActor = Actor<typeof ownedProcessMachine, ProcessData>

/** The chart of a process and what performs its actions. @since 0.1.0 @category processes */
export const processKind = actorKind<typeof ownedProcessMachine, ProcessData>(
  compileChart(ownedProcessMachine),
  {
    check(_, process) {
      const { data } = process
      const found = data.port.find(data.spec)
      if (found.kind === "found") {
        data.spec = { ...data.spec, program: found.program }
        return data.supervisor.deliver(process, { type: "check.ok" })
      }
      data.failure = found.kind === "cwd missing" ? new SpawnCwdMissing(data.spec.cwd) : binaryNotFound(data)
      data.supervisor.deliver(process, { type: "check.failed" })
    },
    spawn: (_, process) => startProcess(process),
    register({ pid }, { data }) {
      if (pid !== null) data.unguard = data.run.guard(pid)
      if (data.hold !== null) data.input.open(data.hold)
    },
    unregister(_, { data }) {
      data.unguard?.()
      data.unguard = null
      data.input.close("it has ended")
      data.news.exited()
    },
    terminateGroup: ({ pid }, process) => signalGroup(process, pid, "SIGTERM"),
    killGroup: ({ pid }, process) => signalGroup(process, pid, "SIGKILL"),
    killChild({ pid }, process) {
      if (pid !== null && isSignallablePid(pid)) note(process, "SIGKILL", process.data.port.signalOne(pid, "SIGKILL"))
    },
    abandonCaptures(_, { data }) {
      data.hold?.release()
      for (const output of Object.values(data.outputs)) output.ended("it had not ended when the drain bound was over")
    },
    sweep(_, process) {
      const { supervisor, port, mark } = process.data
      const found = port.marked(mark)
      supervisor.deliver(process, found.length === 0 ? { type: "sweep.empty" } : { type: "sweep.found", found })
    },
    killSurvivors({ found }, process) {
      for (const one of found) note(process, `SIGKILL to ${one.pid}`, process.data.port.killMarked(one))
    },
    tellStarted: (_, { data }) => data.news.started(),
    tellStuck: (_, { data }) => data.news.stuck(),
    tellDrained: (_, { data }) => data.news.drained(),
    tellReaped(_, { data }) {
      data.hold?.release()
      data.news.reaped()
    },
    tellFailed(_, { data }) {
      data.hold?.release()
      data.input.close("it was not started")
      data.news.failed(data.failure)
    }
  },
  { isGuard: true }
)

const startProcess = (process: ProcessActor): void => {
  const { data } = process
  const { supervisor, port, label, outputs } = data
  data.hold = port.start(data.spec, {
    started(pid) {
      const isAdoptable = isSignallableGroup(pid, port.ownGroup)
      if (!isAdoptable) {
        data.refusal = `its group ${pid} may not be signalled`
        data.failure = new SpawnFailed(`${label} was started and killed: ${data.refusal}`, { code: null })
      }
      supervisor.deliver(process, { type: "spawned", pid, isAdoptable, canTerminate: port.canTerminate })
    },
    failed({ code, reason }) {
      data.failure = new SpawnFailed(`${label} could not be started: ${reason}`, { code })
      supervisor.deliver(process, { type: "spawn.failed" })
    },
    output: (stream, bytes) => outputs[stream].received(bytes),
    outputEnded(stream, problem) {
      outputs[stream].ended(problem)
      const isOver = process.snapshot.status === "done"
      if (!isOver && outputs.stdout.hasEnded() && outputs.stderr.hasEnded())
        supervisor.deliver(process, { type: "streams.ended" })
    },
    exited: (status) => supervisor.deliver(process, { type: "exited", status })
  })
}

/** So much of a name or a path is shown. */
const shownMax = 200

const binaryNotFound = ({ label, spec }: ProcessData): Error =>
  new BinaryNotFound(`the program of ${clip(label, shownMax)} does not exist: ${clip(spec.program, shownMax)}`, {
    path: spec.program
  })

const signalGroup = (process: ProcessActor, group: number | null, signal: "SIGTERM" | "SIGKILL"): void => {
  const { port } = process.data
  if (group === null || !isSignallableGroup(group, port.ownGroup)) return
  note(process, `${signal} to its group`, port.signalGroup(group, signal))
}

/** That there was nobody any more is no error: what is being ended may end by itself. */
const note = (process: ProcessActor, what: string, outcome: SignalOutcome): void => {
  if (outcome.kind !== "failed") return
  process.data.supervisor.deliver(process, { type: "signal.failed", problem: `${what}: ${outcome.reason}` })
}
