import type { FaultFormat } from "./catalogue/voice.ts"
import type { FaultRecord } from "./fault-server-api.ts"

/** Why a request was not accepted. */
export type RejectReason = "method" | "route" | "auth" | "json" | "too_large" | "unknown_lane" | "fault_header"

/** What `telemetry: "full"` adds to both records of an exchange. */
interface ExchangePlace {
  readonly lane?: string
  readonly laneAttempt?: number
  readonly format?: FaultFormat
  readonly stream?: boolean
  readonly t?: number
}

/**
 * One thing that a fault server tells. Members stand in the order of the specification; those behind the first group are
 * there with full telemetry only.
 *
 * **Source** fault-server.md, sections 4.5, 9.2 and 9.7
 *
 * @since 0.1.0
 * @category models
 */
export type FaultEvent =
  | ({
      readonly type: "request"
      readonly attempt: number
      readonly scriptBehavior: FaultRecord["scriptBehavior"]
      readonly behavior: FaultRecord["behavior"]
      readonly path: string
    } & ExchangePlace)
  | ({
      readonly type: "result"
      readonly attempt: number
      readonly scriptBehavior: FaultRecord["scriptBehavior"]
      readonly behavior: FaultRecord["behavior"]
      readonly outcome: NonNullable<FaultRecord["outcome"]>
      readonly chunksSent: number
    } & ExchangePlace & {
        readonly status?: number | null
        readonly bytesSent?: number
        readonly closeMode?: string | null
        readonly durationMs?: number
      })
  | {
      readonly type: "rejected"
      readonly reason: RejectReason
      readonly status: number
      readonly path: string
      readonly t: number
    }
  | {
      readonly type: "closed"
      readonly attempt: number
      readonly by: "client" | "server"
      readonly heldMs: number
    }
  | { readonly type: "unavailable"; readonly baseURL: string; readonly listenDelayMs: number | null }
  | { readonly type: "available"; readonly baseURL: string }
  | { readonly type: "error"; readonly code: string }
