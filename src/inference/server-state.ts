import type { WireProfile } from "../domain/endpoint.ts"
import { type Fifo, makeFifo } from "../domain/fifo.ts"
import { copyModel, MockModelEntry } from "../domain/model-entry.ts"
import type { WireResponse } from "../serving/scripted-plan.ts"
import type { ResponseMode } from "./fallback.ts"

/** One file that a client put into storage. `body` is kept up to 256 KiB, else it is empty. */
export interface StorageUpload {
  readonly path: string
  readonly size: number
  readonly body: Uint8Array
  readonly authorization: string | undefined
}

/**
 * Everything that a test can set on a server at any time; read anew for each request.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerState {
  profile: WireProfile
  token: string | null
  /** A request that nothing was scripted for is refused. */
  isStrict: boolean
  /** What was refused so, in words; the newest are kept. */
  readonly unexpected: Array<string>
  mode: ResponseMode
  turns: Fifo<string>
  chunkDelayMs: number | null
  stopReason: string
  models: ReadonlyArray<MockModelEntry>
  /** `null` while never set; the value itself may be any JSON. */
  settings: { readonly value: unknown } | null
  tier: string | null
  isHanging: boolean
  isStorageUnauthorized: boolean
  storageRequests: number
  /** The newest uploads, and the bytes that they hold. */
  readonly uploads: Array<StorageUpload>
  uploadBytes: number
  readonly queues: Map<string, Fifo<WireResponse>>
}

/** A fresh state: echo, empty queues, nothing set. */
export const makeServerState = (options: {
  readonly profile: WireProfile
  readonly models: ReadonlyArray<MockModelEntry> | undefined
  readonly token: string | null
  readonly isStrict?: boolean
}): ServerState => ({
  profile: options.profile,
  token: options.token,
  isStrict: options.isStrict ?? false,
  unexpected: [],
  mode: { kind: "echo" },
  turns: makeFifo(),
  chunkDelayMs: null,
  stopReason: "end_turn",
  models: options.models?.map(copyModel) ?? [MockModelEntry.new("test-model")],
  settings: null,
  tier: null,
  isHanging: false,
  isStorageUnauthorized: false,
  storageRequests: 0,
  uploads: [],
  uploadBytes: 0,
  queues: new Map()
})
