import { Effect } from "effect"
import type { AnyStateMachine } from "xstate"
import type { TraceEvent } from "../../../src/domain/trace-event.ts"
import { type InferenceCore, makeInferenceCore } from "../../../src/inference/inference-core.ts"
import { logBoundsDefault } from "../../../src/inference/request-log.ts"
import { scripting } from "../../../src/inference/scripting.ts"
import { makeServerState } from "../../../src/inference/server-state.ts"
import { makeTrace } from "../../../src/kernel/trace.ts"
import { makeHttpApp, type ServedApp } from "../../../src/serving/http-app.ts"
import { type Chart, compileChart } from "../../../src/supervisor/chart.ts"
import { makeLifetime } from "../../../src/supervisor/lifetime.ts"
import { makeSupervisor, type Supervisor } from "../../../src/supervisor/supervisor.ts"
import { type StepKernel, stepClock } from "./step-kernel.ts"

/** A bug that is planted around the server, to see that a search finds it. */
export interface Plant {
  /** Takes the place of the shipped chart of the same id. */
  readonly chart?: AnyStateMachine
  /** Changes how the server decides. */
  readonly core?: (core: InferenceCore) => InferenceCore
  readonly supervisor?: (supervisor: Supervisor) => Supervisor
}

/** An actor of the server, as it stands. */
export interface SeenActor {
  readonly id: number
  readonly chart: string
  readonly snapshot: { readonly state: string; readonly status: string; readonly context: unknown }
}

/** The server as it runs live, without a port: its steps are those of the kernel. */
export interface StepServer {
  readonly app: ServedApp
  readonly core: InferenceCore
  readonly controls: ReturnType<typeof scripting>
  /** All that were ever started, oldest first. */
  readonly actors: ReadonlyArray<SeenActor>
}

export const startStepServer = (options: {
  readonly kernel: StepKernel
  readonly clients: ReadonlyArray<string>
  readonly plant: Plant
  readonly see: (event: TraceEvent) => void
}): StepServer => {
  const { kernel, clients, plant, see } = options
  const clock = stepClock(kernel, clients)
  const trace = makeTrace(clock)
  trace.watch(see)
  const actors: Array<SeenActor> = []
  const plain = makeSupervisor({ clock, trace })
  const seen = seeActors(plant.supervisor?.(plain) ?? plain, plant.chart, actors)
  const state = makeServerState({ profile: "full", models: undefined, token: null })
  const made = makeInferenceCore({ supervisor: seen, trace, state, wallMs: clock.wallMs, logBounds: logBoundsDefault })
  const core = plant.core?.(made) ?? made
  const app = makeHttpApp({ supervisor: seen, lifetime: makeLifetime(Effect.runSync), route: core.route })
  return { app, core, controls: scripting(core, { isClosed: () => false, onClosed: () => () => {} }), actors }
}

const seeActors = (
  supervisor: Supervisor,
  machine: AnyStateMachine | undefined,
  actors: Array<SeenActor>
): Supervisor => {
  const mutant = machine === undefined ? undefined : mutantOf(machine)
  return {
    ...supervisor,
    spawn(kind, input, data) {
      const used = mutant?.id === kind.chart.id ? { ...kind, chart: mutant } : kind
      const actor = supervisor.spawn(used, input, data)
      actors.push({
        id: actor.id,
        chart: kind.chart.id,
        get snapshot() {
          return actor.snapshot
        }
      })
      return actor
    }
  }
}

const mutants = new WeakMap<AnyStateMachine, Chart<AnyStateMachine>>()

const mutantOf = (machine: AnyStateMachine): Chart<AnyStateMachine> => {
  const known = mutants.get(machine)
  if (known !== undefined) return known
  const chart: Chart<AnyStateMachine> = compileChart(machine)
  mutants.set(machine, chart)
  return chart
}
