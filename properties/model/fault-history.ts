import type { FaultName } from "../../src/domain/fault-names.ts"
import type { FaultOptions, ResetMode } from "../../src/domain/fault-options.ts"
import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"
import type { FaultWeights } from "../../src/faults/chance/weights.ts"
import type { FaultServerOptions } from "../../src/faults/fault-server-api.ts"
import type { FaultAsk } from "./fault-ask.ts"

/** An entry of a script before it is spelled: with options it is an object, without a word. */
export interface FaultEntry {
  readonly behavior: FaultName | "random"
  readonly times: number
  readonly mode: ResetMode | null
  readonly options: FaultOptions | null
}

/** Connects are refused for so long, or with `null` for one connect. */
export interface FaultGap {
  readonly gapMs: number | null
}

/** The script of the server, or of a lane. */
export interface FaultScriptSpec {
  readonly entries: ReadonlyArray<FaultEntry | FaultGap>
  readonly repeatLast: boolean
}

/** The script of a lane. */
export interface LaneSpec extends FaultScriptSpec {
  readonly pattern: string
  readonly options: FaultOptions
  readonly weights: FaultWeights | null
}

/** Where lanes are looked for. The generators keep to rules that a model can follow without hashing. */
export type LaneBy = "path" | "header:x-lane" | "fingerprint"

export interface LanesSpec {
  readonly by: ReadonlyArray<LaneBy>
  readonly perLane: boolean | null
  readonly scripts: ReadonlyArray<LaneSpec>
  readonly isStrict: boolean
  readonly onlyForeground: boolean
}

/** How an observer takes the events: it may throw, reject, write to them, or close the server at the n-th. */
export type Observer = "quiet" | "throws" | "rejects" | "meddles" | { readonly closesAt: number }

/** What a fault server is started with. */
export interface FaultSetup {
  /** `null` when every lane has its own. */
  readonly script: FaultScriptSpec | null
  readonly lanes: LanesSpec | null
  readonly hasKey: boolean
  readonly isLimited: boolean
  readonly formats: ReadonlyArray<FaultFormat> | null
  readonly settings: FaultOptions
  readonly terms: Required<
    Pick<FaultServerOptions, "chunkShape" | "usagePlacement" | "streaming" | "markErrors" | "telemetry">
  >
  readonly seed: number
  readonly weights: FaultWeights | null
  /** Answers `random` in the place of the seed. */
  readonly draws: ReadonlyArray<number> | null
  readonly observer: Observer
}

/** What happens to a fault server. Clients are numbered by their requests. */
export type FaultStep =
  | { readonly does: "ask"; readonly ask: FaultAsk }
  /** The body of a request that was begun arrives. */
  | { readonly does: "arrive"; readonly client: number }
  | { readonly does: "leave"; readonly client: number }
  | { readonly does: "read"; readonly client: number }
  | { readonly does: "settle" }
  /** One thing that is due now. */
  | { readonly does: "tick" }
  | { readonly does: "advance"; readonly ms: number }
  | { readonly does: "refuse"; readonly ms: number | null }
  | { readonly does: "accept" }
  | { readonly does: "close" }

/** A run of a fault server, as plain data. `ties` pick among what is due together. */
export interface FaultHistory {
  readonly setup: FaultSetup
  readonly steps: ReadonlyArray<FaultStep>
  readonly ties: ReadonlyArray<number>
}

export const isGap = (entry: FaultEntry | FaultGap): entry is FaultGap => "gapMs" in entry
