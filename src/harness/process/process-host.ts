import { processHostMachine } from "../../../machines/process-host.machine.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { KillTimeout } from "../../domain/harness-errors.ts"
import { CleanupFailed, ResourceLeak } from "../../domain/harness-scope-errors.ts"
import type { MarkedProcess } from "../../domain/owner-mark.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind } from "../../supervisor/supervisor.ts"
import type { OwnedProcess } from "./owned-process.ts"
import type { ProcessActor } from "./process-actor.ts"
import { processDiagnostics, type Redact } from "./process-diagnostics.ts"
import { checkProcessOptions, type ProcessOptions } from "./process-options.ts"
import { type ProcessPorts, type SpawnRoom, spawnProcess } from "./spawn-process.ts"

/**
 * Starts the processes of one run and sees to it that none outlives it.
 *
 * **Source** agent-harness.md, sections 1.9 and 7.6
 *
 * @since 0.1.0
 * @category processes
 */
export interface ProcessHost {
  readonly runId: string
  /**
   * Starts a process.
   *
   * **Fails** with `BinaryNotFound`, `SpawnCwdMissing`, `SpawnFailed`; with `InvalidOption` before it looks, also when the
   * host is closed
   */
  spawn(options: ProcessOptions): Promise<OwnedProcess>
  /** Those of which something is left, oldest first. */
  alive(): ReadonlyArray<OwnedProcess>
  /** Whether a process runs under a number; one that has ended and was not yet taken off does not. */
  pidAlive(pid: number): boolean
  /** Whether what left the group of its process can be found here. */
  readonly findsStrays: boolean
  /** Descendants of these starts that run, by number, but for processes that the host has itself. */
  strays(spawnIds: ReadonlyArray<number>): ReadonlyArray<MarkedProcess>
  /** Kills a process that was found, unless its number has become another's. */
  killStray(found: MarkedProcess): void
  /**
   * Kills what is left, newest first, and everything else that carries the mark of the run; waits until it is gone. A second
   * call waits for the same.
   *
   * **Takes** `leaks`: whether processes that nobody closed are leaks. Default `false`: they are killed in silence
   * **Fails** with `ResourceLeak` when there were leaks, or strays that nobody had allowed: they are killed all the same;
   * with `CleanupFailed` when one cannot be killed
   */
  close(options?: { readonly leaks?: boolean }): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface HostData extends SpawnRoom {
  readonly closed: () => void
  countsLeaks: boolean
  /** One line for each process that nobody had closed, where that counts. */
  leaks: ReadonlyArray<string>
}

type HostActor = Actor<typeof processHostMachine, HostData>

const kind = actorKind<typeof processHostMachine, HostData>(
  compileChart(processHostMachine),
  {
    dropAll(_, host) {
      const { alive, countsLeaks, ports } = host.data
      const open = [...alive.keys()].reverse()
      if (countsLeaks) host.data.leaks = open.filter(isRunning).map(leakText)
      for (const process of open) ports.supervisor.deliver(process, { type: "disposed" })
      tellOver(host)
    },
    sweep(_, host) {
      const { ports, alive, runId } = host.data
      // What cannot be killed is told of as such.
      const stuck = new Set([...alive.keys()].map(({ data }) => data.mark.spawnId))
      const found = ports.processes.marked({ runId, spawnId: null }).filter(({ spawnId }) => !stuck.has(spawnId))
      ports.supervisor.deliver(host, found.length === 0 ? { type: "sweep.empty" } : { type: "sweep.found", found })
    },
    killStrays({ found }, { data }) {
      for (const stray of found) data.ports.processes.killMarked(stray)
    },
    endRun: (_, host) => host.data.run.end(() => host.data.ports.supervisor.deliver(host, { type: "run.ended" })),
    tellClosed: (_, { data }) => data.closed()
  },
  { isGuard: true }
)

const isRunning = ({ snapshot }: ProcessActor): boolean => /^(starting|owned)/.test(snapshot.state)

const isStuck = ({ snapshot }: ProcessActor): boolean => snapshot.state === "owned.stuck"

const leakText = ({ data, snapshot }: ProcessActor): string =>
  `process ${data.label}, pid ${snapshot.context.pid ?? "none yet"}, that nobody closed`

/** Tells a host when no process of it is left but those that cannot be killed. */
const tellOver = (host: HostActor): void => {
  const isOver = [...host.data.alive.keys()].every(isStuck)
  if (isOver && host.snapshot.status === "active") host.data.ports.supervisor.deliver(host, { type: "processes.over" })
}

/**
 * Begins a run.
 *
 * **Takes** `runId`, 32 hexadecimal digits that no other run has; `redact`, which makes what processes write fit to be shown
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeProcessHost = (
  ports: ProcessPorts,
  { runId, redact }: { readonly runId: string; readonly redact: Redact }
): ProcessHost => {
  if (!/^[0-9a-f]{32}$/.test(runId)) throw new InvalidOption(`runId is ${runId}; give 32 hexadecimal digits`)
  let settle = (): void => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  const host: HostActor = ports.supervisor.spawn(kind, undefined, {
    ports,
    runId,
    redact,
    run: ports.processes.beginRun(runId),
    alive: new Map(),
    starts: new Map(),
    changed: () => tellOver(host),
    closed: settle,
    countsLeaks: false,
    leaks: []
  })
  const closed = settled.then(() => throwWhatFailed(host))
  // Whoever closes hears of it.
  closed.catch(() => {})
  const close = (): Promise<void> => {
    if (host.snapshot.status === "active") ports.supervisor.deliver(host, { type: "close" })
    return closed
  }
  return {
    runId,
    async spawn(options) {
      const checked = checkProcessOptions(options)
      if (host.snapshot.state === "open") return spawnProcess(host.data, checked)
      throw new InvalidOption(`${checked.label} cannot be started: the host of its processes is closed`)
    },
    alive: () => [...host.data.alive.values()],
    pidAlive: (pid) => Number.isInteger(pid) && pid > 0 && ports.processes.isAlive(pid),
    findsStrays: ports.processes.showsMarks,
    strays(spawnIds) {
      const own = new Set([...host.data.alive.values()].map(({ pid }) => pid))
      const marked = ports.processes.marked({ runId, spawnId: null })
      return marked.filter(({ pid, spawnId }) => spawnIds.includes(spawnId) && !own.has(pid))
    },
    killStray: (found) => void ports.processes.killMarked(found),
    close({ leaks = false } = {}) {
      host.data.countsLeaks ||= leaks
      return close()
    },
    [Symbol.asyncDispose]: close
  }
}

const throwWhatFailed = ({ data, snapshot }: HostActor): void => {
  const { strays, leftovers } = snapshot.context
  const items = [...data.leaks, ...strays.filter((stray) => !isAllowed(data, stray)).map((one) => strayText(data, one))]
  const leak = items.length === 0 ? [] : [new ResourceLeak(items)]
  const stuck = [...data.alive.keys()].map((process) => {
    const diagnostics = processDiagnostics(process, data.redact)
    return new KillTimeout(process.data.label, { ms: process.snapshot.context.killWaitMs, diagnostics })
  })
  const left = leftovers.length === 0 ? [] : [new ResourceLeak(leftovers.map((one) => strayText(data, one)))]
  if (stuck.length + left.length > 0) throw new CleanupFailed([...stuck, ...left, ...leak])
  for (const error of leak) throw error
}

const isAllowed = ({ starts }: HostData, { spawnId }: MarkedProcess): boolean =>
  starts.get(spawnId)?.allowDetached === true

const strayText = ({ starts }: HostData, { pid, spawnId }: MarkedProcess): string =>
  `process that ${starts.get(spawnId)?.label ?? "an unknown start"} left behind, pid ${pid}`
