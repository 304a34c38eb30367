import type { TraceEvent } from "../domain/trace-event.ts"
import type { Leftovers } from "./serve-leftovers.ts"

/** What one of several serving processes tells the one that has started them. */
export type CrewMessage =
  | { readonly type: "ready"; readonly url: string; readonly origin: string }
  /** It cannot serve, and ends. */
  | { readonly type: "failed"; readonly message: string; readonly details: ReadonlyArray<string> }
  | { readonly type: "event"; readonly event: TraceEvent }
  /** So many events were not told, for nobody took them. */
  | { readonly type: "lost"; readonly events: number }
  | { readonly type: "closed"; readonly blocked: ReadonlyArray<string>; readonly leftovers: Leftovers | null }

/** What it is told: to finish what is running, and to end. */
export interface CrewOrder {
  readonly type: "stop"
}

export const isCrewOrder = (value: unknown): value is CrewOrder =>
  typeof value === "object" && value !== null && "type" in value && value.type === "stop"

/**
 * Guards what came from a process of ours: another version of it cannot be there.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCrewMessage = (value: unknown): value is CrewMessage =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
