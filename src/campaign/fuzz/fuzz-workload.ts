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

/** So many can talk at once. */
export const usersMost = names.length

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
      const abort = choice.draw(1 + abortsMs.length, `${client}/abort`, 1 + 2 * abortsMs.length) - 1
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
