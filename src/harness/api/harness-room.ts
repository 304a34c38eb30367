import { transitionsMax } from "../../domain/scope-limits.ts"
import { type Transition, transitionsIn } from "../../domain/transition.ts"
import type { Clock } from "../../kernel/clock.ts"
import { makeTrace } from "../../kernel/trace.ts"
import { makeSupervisor } from "../../supervisor/supervisor.ts"
import type { LeaderWorld } from "../leader/leader-world.ts"
import { makeProcessHost } from "../process/process-host.ts"
import { runOwned } from "../sandbox/run-owned.ts"
import { type LeakWatch, makeLeakWatch } from "../scope/leak-watch.ts"
import { makeScope, type Scope } from "../scope/scope.ts"
import { errorOf } from "../scope/scope-actor.ts"
import type { HarnessPorts } from "./harness-ports.ts"

/** A world, the outermost scope in it, and what they have left behind. */
export interface HarnessRoom {
  readonly world: LeaderWorld
  readonly root: Scope
  readonly watch: LeakWatch
  /** The clock of everything in it, whose timers are known. */
  readonly clock: Clock
  readonly tell: (line: string) => void
  /** The last steps of all charts, oldest first. */
  transitions(): ReadonlyArray<Transition>
  watchTransitions(see: (transition: Transition) => void): () => void
}

/** So much a step is worth in a trace, by its own estimate. */
const stepBytes = 64

/**
 * Opens a world with a scope around everything in it.
 *
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const openRoom = (ports: HarnessPorts): HarnessRoom => {
  const { processes, parent, baseFolder, runId, redact, tell } = ports
  const watch = makeLeakWatch()
  const clock = watch.clock(ports.clock)
  const files = watch.files(ports.files)
  const trace = makeTrace(clock, { traceEntriesMax: transitionsMax, traceBytesMax: transitionsMax * stepBytes })
  const supervisor = makeSupervisor({ clock, trace })
  const host = makeProcessHost({ supervisor, clock, processes }, { runId, redact })
  const isKept = parent.variables["HARNESS_KEEP_SANDBOX"] === "1"
  const world: LeaderWorld = {
    supervisor,
    clock,
    host,
    sandboxes: { parent, files, clock, run: runOwned(host), baseFolder, tell },
    streams: ports.streams,
    locks: ports.locks,
    redact,
    timeoutScale: ports.timeoutScale,
    showsTiming: ports.showsTiming
  }
  /** Processes first: what they hold is let go of with them. */
  const check = async (): Promise<ReadonlyArray<Error>> => {
    const problems: Array<Error> = []
    await host.close({ leaks: true }).catch((error: unknown) => problems.push(errorOf(error)))
    const { listeners, connections } = ports.streams.open()
    return [...problems, ...watch.leak({ foldersStay: isKept, listeners, connections })]
  }
  return {
    world,
    root: makeScope({ supervisor, check }, "harness"),
    watch,
    clock,
    tell,
    transitions: () => transitionsIn(trace.events()),
    watchTransitions: (see) =>
      trace.watch((event) => {
        for (const transition of transitionsIn([event])) see(transition)
      })
  }
}
