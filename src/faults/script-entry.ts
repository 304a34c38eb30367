import type { FaultName } from "../domain/fault-names.ts"
import type { FaultOptions } from "../domain/fault-options.ts"

/** What an entry of a script yields for one exchange: a fault by name, or one that is drawn. */
export interface ScriptEntry {
  readonly behavior: FaultName | "random"
  /** Override the options of the server for this entry. */
  readonly options: FaultOptions
}

/** The port refuses connects for so long, or (in simulation) for so many connects. */
export type Gap = { readonly kind: "time"; readonly ms: number } | { readonly kind: "connects"; readonly count: number }

/**
 * A script made ready: what each exchange gets, in order, and the gap before each entry, where there is one.
 *
 * **Source** fault-server.md, sections 3.1 and 9.2
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultScript {
  readonly entries: ReadonlyArray<ScriptEntry>
  /** By the index of the entry that the gap comes before; the last index stands for the end. */
  readonly gaps: ReadonlyMap<number, Gap>
  readonly repeatLast: boolean
}

/**
 * An entry as a user writes it: `name`, `name:rst`, `name*3`, `name:rst*3`, `connection_refused:300`, or the same as an object.
 *
 * `connection_refused:300` is a gap: it begins when the exchange before it has its outcome, and takes no request. In
 * simulation the bare `connection_refused` is one too, which takes exactly one connect and refuses it; live, where nobody sees
 * such a connect, it stands for a time, and first on the command line alone.
 *
 * @since 0.1.0
 * @category models
 */
export type SequenceEntry =
  | string
  | { readonly behavior: string; readonly times?: number; readonly options?: FaultOptions }

/** Whether an entry is drawn somewhere in a script. */
export const hasRandom = ({ entries }: FaultScript): boolean => entries.some(({ behavior }) => behavior === "random")
