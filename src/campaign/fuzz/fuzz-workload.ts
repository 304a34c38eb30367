import { InvalidOption } from "../../domain/errors.ts"
import { describe } from "../../domain/json.ts"
import type { Choice } from "../../kernel/choice.ts"
import type { Turn } from "./fuzz-words.ts"

/** How the model can fail a request. */
export type FuzzFault = "rateLimit" | "serverError" | "overloaded" | "reset" | "cut" | "earlyEnd" | "stall" | "slow"

/** All of them. */
export const fuzzFaults: ReadonlyArray<FuzzFault> = [
  "serverError",
  "rateLimit",
  "overloaded",
  "reset",
  "cut",
  "earlyEnd",
  "stall",
  "slow"
]

/**
 * What may happen in a run; how much of it does is drawn.
 *
 * @since 0.1.0
 * @category fuzzing
 */
export interface FuzzWorkload {
  /** Users at once, each with a client. Default 3, at most 8. */
  readonly clientsMax?: number
  /** Turns of each. Default 3. */
  readonly turnsMax?: number
  /** Tool calls before the answer of a turn, where the client offers a tool. Default 2. */
  readonly toolsMax?: number
  /** After how many milliseconds a user gives up. Default 5, 50, 1,500 and 20,000; none with an empty list. */
  readonly abortsMs?: ReadonlyArray<number>
  /** Faults of the model. Default: all. */
  readonly faults?: ReadonlyArray<FuzzFault>
  /** So many requests of a run fail at most; then the model is well. Default 4. */
  readonly faultsMax?: number
}

const names: ReadonlyArray<string> = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"]

/** Milliseconds for which a user thinks before a turn; the first is calm. */
const pausesMs: ReadonlyArray<number> = [0, 10, 500, 30_000]

/** A turn as it was drawn. */
export interface DrawnTurn extends Turn {
  readonly pauseMs: number
  /** `null`: never. */
  readonly abortMs: number | null
  readonly tools: number
}

/** Draws what users do, each on a fork of its own, so that one of them can be left out without disturbing the others. */
export interface WorkloadDraws {
  clients(): ReadonlyArray<string>
  turns(client: string): number
  turn(client: string, number: number): DrawnTurn
}

/** @since 0.1.0 @category constructors */
export const drawWorkload = (choice: Choice, workload: FuzzWorkload): WorkloadDraws => {
  const { clientsMax = 3, turnsMax = 3, toolsMax = 2, abortsMs = [5, 50, 1_500, 20_000] } = workload
  return {
    clients: () => names.slice(0, 1 + choice.draw(Math.min(clientsMax, names.length), "users/count")),
    turns: (client) => 1 + choice.draw(turnsMax, `${client}/turns`),
    turn(client, number) {
      const pauseMs = pausesMs[choice.draw(pausesMs.length, `${client}/pause`)] ?? 0
      // Most turns are not given up: who always is tells little.
      const abort = choice.draw(3 * abortsMs.length + 1, `${client}/abort`) - 2 * abortsMs.length - 1
      return {
        client,
        number,
        pauseMs,
        abortMs: abortsMs[abort] ?? null,
        tools: choice.draw(toolsMax + 1, `${client}/tools`)
      }
    }
  }
}

const clientsMost = names.length
const countMost = 1_000

/** **Fails** with `InvalidOption` that names the member. */
export const checkWorkload = (workload: FuzzWorkload): void => {
  const whole = (name: keyof FuzzWorkload, least: number, most: number): void => {
    const value = workload[name]
    if (
      value === undefined ||
      (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most)
    )
      return
    throw new InvalidOption(`workload.${name} is ${describe(value)}; give a whole number from ${least} to ${most}`)
  }
  whole("clientsMax", 1, clientsMost)
  whole("turnsMax", 1, countMost)
  whole("toolsMax", 0, countMost)
  whole("faultsMax", 0, countMost)
  const { faults = [], abortsMs = [] } = workload
  for (const fault of faults) {
    if (fuzzFaults.includes(fault)) continue
    throw new InvalidOption(`workload.faults holds ${describe(fault)}; use some of ${fuzzFaults.join(", ")}`)
  }
  for (const ms of abortsMs) {
    if (Number.isFinite(ms) && ms >= 1) continue
    throw new InvalidOption(`workload.abortsMs holds ${describe(ms)}; use milliseconds from 1`)
  }
}
