import type { JsonObject } from "../../wire/json.ts"
import type { LeaderLeaving } from "../../wire/leader/leader-message.ts"

/**
 * Why a connection to a leader is over: the leader said `shutdown`; the connection broke, or what came was no message; or it was
 * closed here.
 */
export type DisconnectReason = "leaderShutdown" | "connectionLost" | "clientInitiated"

/** What `get_leader_info` tells. What is missing, or no value of its type, is `null`. */
export interface LeaderInfo {
  readonly pid: number | null
  readonly socketPath: string | null
  readonly lockPath: string | null
  readonly wsUrlSuffix: string | null
  readonly protocolVersion: number | null
  readonly binaryVersion: string | null
  /** All of it, as it came. */
  readonly payload: JsonObject
}

/** What came of `relaunch_for_update`. */
export type RelaunchAnswer =
  | {
      readonly kind: "relaunching"
      readonly fromVersion: string | null
      readonly toVersion: string | null
      /** How long clients have; `null` where it does not say. */
      readonly graceMs: number | null
    }
  | { readonly kind: "declined"; readonly reason: string }

/** How long something is waited for, before the timeout scale. Default 30 seconds. */
export interface IpcBound {
  readonly ms?: number
}

/** A message of a type that is not known, or that is no answer to anything. */
export interface StrayMessage {
  readonly type: string
  readonly message: JsonObject
}

/**
 * A direct connection to a leader, which has registered and is ready.
 *
 * @since 0.1.0
 * @category models
 */
export interface LeaderConnection extends AsyncDisposable {
  /** The id that the leader gave, as it came. */
  readonly clientId: unknown
  /** `null` where the leader did not say. */
  readonly protocolVersion: number | null
  readonly binaryVersion: string | null
  readonly capabilities: JsonObject
  /** Whether the leader said that it can do something. */
  can(capability: string): boolean
  /**
   * Sends text to the agent behind the leader, one message of JSON-RPC; it has been sent when the bytes have left.
   *
   * **Fails** with `AgentClosed`, `FrameTooLarge`
   */
  send(payload: string): Promise<void>
  /**
   * The next text of the agent behind the leader. What came before the connection ended can still be received.
   *
   * **Fails** with `WaitTimeout`; with `AgentClosed`, or what broke the connection, when nothing comes any more
   */
  receive(bound?: IpcBound): Promise<string>
  /** How many texts have come and were not received; how many were dropped, above 100,000 of them or 64 MiB. */
  unreceived(): { readonly waiting: number; readonly dropped: number }
  /**
   * Sends a command, an object with a `type`, and gives what it was answered with.
   *
   * **Fails** with `UnsupportedControl` where the leader does not speak version 1 of the protocol or has no `control_v1`, with
   * `AgentError` (its code 0 where the leader gave a word, which is in `data`), `RequestTimeout`, and as `receive` does
   */
  control(command: JsonObject, bound?: IpcBound): Promise<unknown>
  /** **Fails** as `control` does, and with `ProtocolViolation` for another answer */
  getLeaderInfo(bound?: IpcBound): Promise<LeaderInfo>
  /** **Fails** as `control` does, and with `ProtocolViolation` for another answer */
  relaunchForUpdate(toVersion: string, bound?: IpcBound): Promise<RelaunchAnswer>
  /** Sends a `ping` besides those that go every 30 seconds. */
  ping(): Promise<void>
  /** How many answers to pings have come. */
  pongs(): number
  /** `null` while it is open. */
  disconnectReason(): DisconnectReason | null
  /** What broke it; `null` while it is open, and when one side just closed it. */
  failure(): Error | null
  /** What the leader said last of its going; `null` when it said nothing. */
  shuttingDown(): LeaderLeaving | null
  /** Errors that the leader told, and messages that nobody waited for: the newest 1,000 of each. */
  errors(): ReadonlyArray<{ readonly code: number; readonly message: string }>
  strays(): ReadonlyArray<StrayMessage>
  /** Settles when the connection is over, and nothing of it is open. */
  closed(): Promise<DisconnectReason>
  /** Says goodbye, for which the leader has a second, and closes. May be called again. */
  disconnect(): Promise<void>
}
