import { laneMachine } from "../../machines/lane.machine.ts"
import type { FaultOptions } from "../domain/fault-options.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../supervisor/supervisor.ts"
import type { LaneChance } from "./chance/lane-chance.ts"
import type { FaultWeights } from "./chance/weights.ts"
import type { FaultScript, Gap, ScriptEntry } from "./script-entry.ts"

/** The script of a lane with what is drawn from and what its options change. */
export interface ReadyScript {
  readonly script: FaultScript
  readonly options: FaultOptions
  readonly weights: FaultWeights
}

/** What one exchange got of its lane. `entry` is `null` when the script is exhausted. */
export interface Taken {
  readonly entry: ScriptEntry | null
  readonly laneAttempt: number
  /** The gap that begins when this exchange has its outcome. */
  readonly gap: Gap | null
}

interface LaneData {
  readonly ready: ReadyScript
  readonly chance: LaneChance
  readonly name: string
  /** `null` for the cursor that all callers share. */
  readonly key: string | null
  /** Gaps that were handed out; each is run once. */
  readonly gaps: Map<number, Gap>
  taken: Taken
}

/**
 * One cursor of a fault script, under the supervisor.
 *
 * **Source** fault-server.md, sections 3.1 and 9.1.3
 *
 * @since 0.1.0
 * @category lanes
 */
export type Lane = Actor<typeof laneMachine, LaneData>

const kind = actorKind<typeof laneMachine, LaneData>(compileChart(laneMachine), {
  yieldEntry({ index, attempt }, { data }) {
    const { entries } = data.ready.script
    const next = index === null ? entries.length : index + 1
    data.taken = {
      entry: index === null ? null : (entries[index] ?? null),
      laneAttempt: attempt,
      gap: data.gaps.get(next) ?? null
    }
    data.gaps.delete(next)
  }
})

const nothing: Taken = { entry: null, laneAttempt: 0, gap: null }

/** Starts a lane at the beginning of its script. */
export const startLane = (supervisor: Supervisor, lane: Pick<LaneData, "name" | "key" | "ready" | "chance">): Lane => {
  const { script } = lane.ready
  return supervisor.spawn(
    kind,
    { length: script.entries.length, repeatLast: script.repeatLast },
    { ...lane, gaps: new Map(script.gaps), taken: nothing }
  )
}

/** The next entry of a lane; part of the step that accepts an exchange. */
export const takeEntry = (supervisor: Supervisor, lane: Lane): Taken => {
  supervisor.apply(lane, { type: "take" })
  return lane.data.taken
}

/** How many entries a lane has used, of how many, and how it stands. */
export const laneUse = ({ snapshot, data }: Lane) =>
  ({
    lane: data.name,
    used: Math.min(snapshot.context.taken, data.ready.script.entries.length),
    entries: data.ready.script.entries.length,
    state: snapshot.state === "exhausted" ? "exhausted" : snapshot.state === "repeating" ? "repeating" : "running"
  }) as const
