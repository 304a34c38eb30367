import type { StreamAddress, UpstreamAddress } from "../ports/stream-port.ts"

/** A framing by its name, or with options. */
export type FramingChoice =
  | "lengthPrefixed"
  | "ndjson"
  | "contentLength"
  | "webSocket"
  | "opaque"
  | "http"
  | {
      readonly type: "lengthPrefixed"
      readonly prefixBytes?: 1 | 2 | 4 | 8
      readonly endian?: "big" | "little"
      readonly includesPrefix?: boolean
      readonly limitBytes?: number
    }
  | { readonly type: "ndjson" | "contentLength" | "http"; readonly limitBytes?: number }
  | { readonly type: "webSocket"; readonly counts?: "frames" | "messages"; readonly limitBytes?: number }
  | { readonly type: "opaque" }

/**
 * How a proxy is run.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultProxyOptions {
  /** Default `lengthPrefixed`: four bytes, big-endian, which do not count themselves. */
  readonly framing?: FramingChoice
  /** Of the chances in its plan, from 0 to 2^32 - 1. Default 1. */
  readonly seed?: number
  /** What becomes of bytes behind the last frame when the input ends. Default `forward`. */
  readonly tail?: "forward" | "drop"
  /** How frames that no rule is about are told: in runs, or each by itself, which takes longer. Default `runs`. */
  readonly events?: "runs" | "frames"
  /** Keeps the frames that come. Default `false`; `true` keeps 64 MiB of them at most. */
  readonly record?: boolean | { readonly bytesMax: number }
}

/** Where a proxy listens, where it connects to, and what it does to what goes through. */
export interface FaultProxyParts extends FaultProxyOptions {
  readonly listen: StreamAddress
  readonly upstream: UpstreamAddress
  /** Default: no faults. */
  readonly plan?: unknown
}
